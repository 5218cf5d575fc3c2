import { assertNever } from "../../../src/kernel/app-error.ts";
import type { QueueTiming } from "../../../src/queue/bullmq-backend.ts";
import type { QueueBackend } from "../../../src/queue/dispatch-queue.ts";
import { createPostgresQueueBackend } from "../../../src/queue/postgres-backend.ts";
import { createRedisQueueBackend } from "../../../src/queue/redis-backend.ts";

/** What this process is told in WORKER_SETTINGS. */
export interface WorkerSettings {
  readonly kind: "postgresql" | "redis";
  readonly url: string;
  readonly queue: string;
  readonly timing: QueueTiming;
}

/** Asks the parent at the start and at the end of each key; the work goes on with the reply. */
export interface WorkerMessage {
  readonly call: number;
  readonly phase: "start" | "end";
  readonly key: string;
}

export interface WorkerReply {
  readonly call: number;
}

const waiting = new Map<number, () => void>();
let calls = 0;

process.on("message", (reply: WorkerReply) => {
  waiting.get(reply.call)?.();
  waiting.delete(reply.call);
});
process.on("disconnect", () => process.exit());

const settings = JSON.parse(process.env.WORKER_SETTINGS ?? "") as WorkerSettings;
openBackend(settings).consume(settings.queue, report, async (job) => {
  for (const { orderId = "" } of job) {
    await ask("start", orderId);
    await ask("end", orderId);
  }
});

function openBackend({ kind, url, timing }: WorkerSettings): QueueBackend {
  switch (kind) {
    case "postgresql":
      return createPostgresQueueBackend({ url, applicationName: "queue worker process", timing, onError: report });
    case "redis":
      return createRedisQueueBackend({ url, applicationName: "queue worker process", timing, onError: report });
    default:
      return assertNever(kind);
  }
}

function ask(phase: WorkerMessage["phase"], key: string): Promise<void> {
  const message: WorkerMessage = { call: ++calls, phase, key };
  return new Promise((resolve) => {
    waiting.set(message.call, resolve);
    process.send?.(message);
  });
}

function report(error: unknown): void {
  console.error(error);
}
