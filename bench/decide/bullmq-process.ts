// A BullMQ worker on Redis whose jobs make the gateway calls and store nothing.
import { Queue, Worker } from "bullmq";
import { serveCalls } from "../remote-process.ts";
import { acceptChange, callByFetch } from "./gateway-calls.ts";

const queueName = "orders";
let queue: Queue<{ readonly order: number }>;
let failed = 0;
let onEnd: () => void = () => undefined;

const calls = {
  async open(setting: { readonly redisPort: number; readonly url: string; readonly atOnce: number }): Promise<void> {
    const connection = { host: "127.0.0.1", port: setting.redisPort };
    const call = callByFetch(setting.url);
    queue = new Queue(queueName, { connection });
    const worker = new Worker<{ readonly order: number }>(queueName, ({ data }) => acceptChange(call, data.order), {
      connection,
      concurrency: setting.atOnce,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    });
    worker.on("completed", () => onEnd());
    worker.on("failed", () => {
      failed += 1;
      onEnd();
    });
    await worker.waitUntilReady();
  },

  /** Adds a job for each order and waits until all of them have ended. Returns how many failed. */
  async run({ first, count }: { readonly first: number; readonly count: number }): Promise<number> {
    failed = 0;
    let left = count;
    const ended = new Promise<void>((resolve) => {
      onEnd = () => {
        left -= 1;
        if (left === 0) resolve();
      };
    });
    for (let order = first; order < first + count; order += 1) await queue.add("order", { order });
    await ended;
    return failed;
  },
};
export type BullmqCalls = typeof calls;
serveCalls(calls);
