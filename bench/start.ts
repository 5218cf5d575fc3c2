/**
 * How long `npm start` takes until it listens: on a new database, and then on the existing one. The first start after a
 * build is also the one that compiles, where Node.js keeps what was compiled.
 *
 *     npm run bench:start -- [starts]
 */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { buildDistIfStale } from "../test/harness/build-dist.ts";
import { startProduct } from "./product-process.ts";

const starts = Number(process.argv[2] ?? 5);

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
