/**
 * What dispatching costs: orders per second through the queue on PostgreSQL and on Redis, one and several to a job, filled as
 * the feeder fills it and drained by a worker that does nothing. Absolute numbers belong to the machine; the ratio is what
 * counts.
 *
 *     npm run bench:queue -- [orders]
 *
 * PostgreSQL is the embedded one; Redis is started from the `redis-server` on the PATH, with every write on disk.
 */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { QueueBackend } from "../src/queue/dispatch-queue.ts";
import { createPostgresQueueBackend } from "../src/queue/postgres-backend.ts";
import { createRedisQueueBackend } from "../src/queue/redis-backend.ts";
import { thingsPerJobMax } from "../src/queue/run-queue.ts";
import { migrate } from "../src/store/database/migrator.ts";
import { prepareDatabase } from "../src/store/embedded-postgres/own-database.ts";
import { startEmbeddedPostgres } from "../src/store/embedded-postgres/server.ts";
import { startRedisServer } from "../test/harness/redis-server.ts";
import { cpuMsOf } from "./cpu-of-processes.ts";

const orders = Number(process.argv[2] ?? 8_000);

/** Of one order, of as many as a process works on at a time, and of as many as there may be. */
const jobSizes = [1, 8, thingsPerJobMax];

/** As many as the feeder hands over at once. */
const batchSize = 64;

/** As many as may wait in the queue: the backlog stays in our own tables. */
const waitingMax = batchSize * 2;

const onError = (error: unknown): void => console.error(error);

interface Measured {
  readonly perSecond: number;
  /** Of the server of the queue. */
  readonly serverMsEach: number;
}

const onEach = { PostgreSQL: await onPostgres(measureSizes), Redis: await onRedis(measureSizes) };
console.log(`${orders} orders, in batches of ${batchSize}`);
console.table(
  Object.entries(onEach).flatMap(([queue, measured]) =>
    measured.map(({ perSecond, serverMsEach }, index) => ({
      queue,
      "orders in a job": jobSizes[index],
      "orders per second": Math.round(perSecond),
      "of PostgreSQL": `${(perSecond / (onEach.PostgreSQL[index]?.perSecond ?? 1)).toFixed(1)} ×`,
      "server's CPU, ms per order": serverMsEach.toFixed(2),
    })),
  ),
);

type Use = (backend: QueueBackend, serverPid: number) => Promise<readonly Measured[]>;

async function onPostgres(use: Use): Promise<readonly Measured[]> {
  const folder = await mkdtemp(join(tmpdir(), "skedchange-bench-"));
  await chmod(folder, 0o755);
  const server = await startEmbeddedPostgres({ dataDir: folder });
  try {
    const { ownerUrl, serviceUrl } = await prepareDatabase(server.adminUrl, "bench");
    await migrate({ ownerUrl });
    return await use(createPostgresQueueBackend({ url: serviceUrl, applicationName: "bench", onError }), server.pid);
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function onRedis(use: Use): Promise<readonly Measured[]> {
  const server = await startRedisServer();
  try {
    const pid = Number(/^process_id:(\d+)/m.exec(String(await server.command("info", "server")))?.[1]);
    return await use(createRedisQueueBackend({ url: server.url, applicationName: "bench", onError }), pid);
  } finally {
    await server.close();
  }
}

async function measureSizes(backend: QueueBackend, serverPid: number): Promise<readonly Measured[]> {
  const measured: Measured[] = [];
  for (const size of jobSizes) measured.push(await measure(backend, serverPid, size));
  await backend.close();
  return measured;
}

/** From the first add to the last order that was handed over, after a warm-up. */
async function measure(backend: QueueBackend, serverPid: number, jobSize: number): Promise<Measured> {
  const name = `bench-${jobSize}`;
  const queue = backend.openQueue(name);
  let received = 0;
  let watch = (): void => undefined;
  backend.consume(name, onError, async (job) => {
    received += job.length;
    watch();
  });
  const untilReceived = (wanted: number): Promise<void> =>
    new Promise((resolve) => {
      watch = () => {
        if (received >= wanted) resolve();
      };
      watch();
    });
  const run = async (count: number): Promise<Measured> => {
    received = 0;
    const startedAt = performance.now();
    const cpuBefore = cpuMsOf(serverPid);
    for (let added = 0; added < count; added += batchSize) {
      const due = Array.from({ length: Math.min(batchSize, count - added) }, (_, index) => ({
        source: "default",
        orderId: `${added + index}`,
      }));
      const jobs = Array.from({ length: Math.ceil(due.length / jobSize) }, (_, index) =>
        due.slice(index * jobSize, (index + 1) * jobSize),
      );
      await queue.add(jobs);
      await untilReceived(added + due.length - waitingMax);
    }
    await untilReceived(count);
    return {
      perSecond: (count * 1_000) / (performance.now() - startedAt),
      serverMsEach: (cpuMsOf(serverPid) - cpuBefore) / count,
    };
  };
  await run(batchSize * 4);
  return run(orders);
}
