/**
 * How long `npm start` takes until it listens: on a new database, and then on the existing one. The first start after a
 * build is also the one that compiles, where Node.js keeps what was compiled. Then what it uses while there is nothing
 * to do, with its PostgreSQL; on Linux only.
 *
 *     npm run bench:start -- [starts] [seconds of idleness]
 */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { buildDistIfStale } from "../test/harness/build-dist.ts";
import { canMeasureCpu, cpuMsOf } from "./cpu-of-processes.ts";
import { startProduct } from "./product-process.ts";

const starts = Number(process.argv[2] ?? 5);
const idleSeconds = Number(process.argv[3] ?? 60);
/** The demo feeds itself and settles in this time. */
const settleMs = 30_000;

buildDistIfStale();
const folder = await mkdtemp(join(tmpdir(), "skedchange-bench-"));
await chmod(folder, 0o755);
try {
  const onNew = await timeOfStart();
  const onExisting: number[] = [];
  for (let start = 0; start < starts; start += 1) onExisting.push(await timeOfStart());
  onExisting.sort((a, b) => a - b);
  console.log(`Node.js ${process.version}, load average ${loadavg()[0]!.toFixed(1)}`);
  console.log(`new database: listens after ${onNew} ms (at most 5,000)`);
  console.log(
    `existing database: listens after ${onExisting[starts >> 1]} ms (at most 2,000), ${onExisting[0]} to ${onExisting.at(-1)} in ${starts} starts`,
  );
  if (canMeasureCpu) await reportIdleness();
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function timeOfStart(): Promise<number> {
  const startedAt = performance.now();
  const product = await startProduct({ DATA_DIR: folder });
  const took = Math.round(performance.now() - startedAt);
  await product.stop();
  return took;
}

async function reportIdleness(): Promise<void> {
  const product = await startProduct({ DATA_DIR: folder });
  try {
    await sleep(settleMs);
    const before = cpuMsOf(product.pid);
    await sleep(idleSeconds * 1_000);
    const perSecond = (cpuMsOf(product.pid) - before) / idleSeconds;
    console.log(`idle: ${perSecond.toFixed(1)} ms of CPU a second with its PostgreSQL, over ${idleSeconds} s`);
  } finally {
    await product.stop();
  }
}
