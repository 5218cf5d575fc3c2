// A worker of its own that ends itself with SIGKILL at one step of an effect. It is started by `startCrashWorker` and told
// what to do by one line of JSON on its standard input, so that it is ready when the test is.
import { createInterface } from "node:readline";
import { openQueueBackend } from "../../src/app/queue-backend.ts";
import { orderQueue } from "../../src/app/worker-runtime.ts";
import type { CaseTiming } from "../../src/cases/timing.ts";
import type { Configuration } from "../../src/config/load-settings.ts";
import { openGateway } from "../../src/connectors/document/gateway.ts";
import { Secret } from "../../src/kernel/secret.ts";
import { runQueue } from "../../src/queue/run-queue.ts";
import { openDatabase } from "../../src/store/database/database.ts";
import { silentLogger } from "../../src/telemetry/logger.ts";
import { createMetrics } from "../../src/telemetry/metrics.ts";
import { accessToken, apiKey } from "../builders/gateway-credentials.ts";
import { createWorkerUnderTest } from "./worker.ts";

/** What the worker is to do. */
export interface CrashOrder {
  readonly databaseUrl: string;
  readonly gatewayUrl: string;
  /** It works on all of them at the same time. */
  readonly orderIds: readonly string[];
  /** Null: it works until it is killed. */
  readonly crashAt: string | null;
  /** It dies when so many of the orders have got there; by default with the first. */
  readonly crashWithOrders?: number;
  readonly timing: CaseTiming;
  /** Where its queue is; null: on the database. Left out: it looks at the order by itself, without a queue. */
  readonly queueUrl?: string | null;
}

/** What a process that dies holds of the queue runs out after a second, as its leases do. */
const queueTiming = { lockMs: 1_000, stalledCheckMs: 500 };

async function work(order: CrashOrder): Promise<void> {
  const { databaseUrl, gatewayUrl, orderIds, crashAt, crashWithOrders = 1, timing, queueUrl } = order;
  const database = openDatabase({
    url: databaseUrl,
    applicationName: "crash worker",
    encryptionKeys: [],
    maxConnections: 4,
    onError: (error) => console.error(String(error)),
  });
  const client = openGateway({
    baseUrl: gatewayUrl,
    accessToken: new Secret(accessToken),
    apiKey: new Secret(apiKey),
    timeoutMs: timing.callMaxMs,
    retries: null,
  });
  const settings = { timing, holder: `crash worker ${process.pid}` };
  let arrived = 0;
  const worker = createWorkerUnderTest(database, client, settings, (point) => {
    if (point !== crashAt) return;
    arrived += 1;
    if (arrived === crashWithOrders) process.kill(process.pid, "SIGKILL");
  });
  if (queueUrl !== undefined) {
    const onError = (error: unknown) => console.error(String(error));
    const queues = openQueueBackend({ queueUrl: queueUrl ?? undefined, databaseUrl, timing: queueTiming, onError });
    const configuration = { settings: { WORKER_CONCURRENCY: 2 }, sources: [] } as unknown as Configuration;
    runQueue(queues, orderQueue(worker.worker, configuration, timing), {
      logger: silentLogger,
      metrics: createMetrics(),
    });
    return;
  }
  for (;;) {
    await Promise.all(orderIds.map((orderId) => worker.work(orderId)));
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const input = createInterface({ input: process.stdin });
input.once("line", (line) => {
  work(JSON.parse(line) as CrashOrder).catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
});
// The test is gone.
input.once("close", () => process.exit(0));
