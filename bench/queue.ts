/**
 * What dispatching costs: dispatches per second through the queue on PostgreSQL and on Redis, filled as the feeder fills it
 * and drained by workers that do nothing. Absolute numbers belong to the machine; the ratio is what counts.
 *
 *     npm run bench:queue -- [dispatches] [worker concurrency]
 *
 * PostgreSQL is the embedded one; Redis is started from the `redis-server` on the PATH, with every write on disk.
 */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { QueueBackend } from "../src/queue/dispatch-queue.ts";
import { createPostgresQueueBackend } from "../src/queue/postgres-backend.ts";
import { createRedisQueueBackend } from "../src/queue/redis-backend.ts";
import { migrate } from "../src/store/database/migrator.ts";
import { prepareDatabase } from "../src/store/embedded-postgres/own-database.ts";
import { startEmbeddedPostgres } from "../src/store/embedded-postgres/server.ts";
import { startRedisServer } from "../test/harness/redis-server.ts";

const dispatches = Number(process.argv[2] ?? 4_000);
const concurrency = Number(process.argv[3] ?? 8);

/** As many as the feeder hands over at once. */
const batchSize = concurrency * 8;

/** As many as may wait in the queue: the backlog stays in our own tables. */
const waitingMax = batchSize * 2;

const onError = (error: unknown): void => console.error(error);

const rows = [
  { queue: "PostgreSQL", perSecond: await onPostgres(measure) },
  { queue: "Redis", perSecond: await onRedis(measure) },
];
const [postgres] = rows;
console.log(`${dispatches} dispatches, a key of its own each, ${concurrency} at a time, batches of ${batchSize}`);
console.table(
  rows.map(({ queue, perSecond }) => ({
    queue,
    "per second": Math.round(perSecond),
    "of PostgreSQL": `${(perSecond / (postgres?.perSecond ?? 1)).toFixed(1)} ×`,
  })),
);

async function onPostgres(use: (backend: QueueBackend) => Promise<number>): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "skedchange-bench-"));
  await chmod(folder, 0o755);
  const server = await startEmbeddedPostgres({ dataDir: folder });
  try {
    const { ownerUrl, serviceUrl } = await prepareDatabase(server.adminUrl, "bench");
    await migrate({ ownerUrl });
    return await use(createPostgresQueueBackend({ url: serviceUrl, applicationName: "bench", onError }));
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function onRedis(use: (backend: QueueBackend) => Promise<number>): Promise<number> {
  const server = await startRedisServer();
  try {
    return await use(createRedisQueueBackend({ url: server.url, applicationName: "bench", onError }));
  } finally {
    await server.close();
  }
}

/** Dispatches per second, from the first add to the last that was worked on, after a warm-up. */
async function measure(backend: QueueBackend): Promise<number> {
  const queue = backend.openQueue("bench");
  let worked = 0;
  let watch = (): void => undefined;
  backend.consume("bench", { concurrency, onError }, async () => {
    worked += 1;
    watch();
  });
  const untilWorked = (wanted: number): Promise<void> =>
    new Promise((resolve) => {
      watch = () => {
        if (worked >= wanted) resolve();
      };
      watch();
    });
  const run = async (count: number): Promise<number> => {
    worked = 0;
    const startedAt = performance.now();
    for (let added = 0; added < count; added += batchSize) {
      const size = Math.min(batchSize, count - added);
      await queue.add(
        Array.from({ length: size }, (_, index) => ({
          key: `bench/${added + index}`,
          ids: { orderId: `${added + index}` },
        })),
      );
      await untilWorked(added + size - waitingMax);
    }
    await untilWorked(count);
    return (count * 1_000) / (performance.now() - startedAt);
  };
  await run(batchSize * 4);
  const perSecond = await run(dispatches);
  await backend.close();
  return perSecond;
}
