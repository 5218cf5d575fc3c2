/**
 * The fault suite: real processes against the gateway, everything disturbed that can be, both sides compared.
 *
 *     npx tsx test/faults/main.ts [--seed 1] [--runs 1] [--queue postgresql|redis] [--orders 1000] [--notifications 5000]
 *                                 [--write] [--keep]
 *
 * A seed makes the same plan again. Several runs take the seeds that follow. `--write` puts the table of the last run into
 * docs/reliability.md. Exit code 1 when a promise was broken; the logs of such a run are kept, those of the others with
 * `--keep`.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { compileProcess } from "../harness/compile-process.ts";
import { hasRedisServer, redisBinary } from "../harness/redis-presence.ts";
import { printRun, writeReliabilityPage } from "./report.ts";
import { type RunResult, runFaults } from "./run-faults.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    runs: { type: "string", default: "1" },
    queue: { type: "string", default: "postgresql" },
    orders: { type: "string", default: "1000" },
    notifications: { type: "string", default: "5000" },
    write: { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
  },
});
const { queue } = values;
if (queue !== "postgresql" && queue !== "redis") throw new Error("--queue is postgresql or redis");
const [seed, runs, orders, notifications] = [values.seed, values.runs, values.orders, values.notifications].map(
  (text) => {
    const number = Number(text);
    if (!Number.isInteger(number) || number < 1) throw new Error(`${text} is not a whole number from 1 on`);
    return number;
  },
) as [number, number, number, number];

if (queue === "redis" && !hasRedisServer()) {
  console.error(`There is no ${redisBinary} on the PATH, so nothing was run on Redis. Install Redis 7 to run it.`);
  process.exit(process.env["REQUIRE_REDIS"] === "1" ? 1 : 0);
}

const compiled = await compileProcess("test/faults/faults-process");
process.once("exit", () => compiled.remove());
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

const results: RunResult[] = [];
for (let run = 0; run < runs; run += 1) {
  const folder = await mkdtemp(join(tmpdir(), `skedchange-faults-${seed + run}-`));
  console.error(`run ${run + 1} of ${runs}: seed ${seed + run}, queue on ${queue}`);
  const result = await runFaults({
    seed: seed + run,
    size: { orders, notifications },
    queue,
    entry: compiled.entry,
    folder,
    print: (line) => console.error(line),
  });
  results.push(result);
  console.log(printRun(result));
  if (result.violations.length > 0 || values.keep) console.log(`The plan and the logs are in ${folder}`);
  else await rm(folder, { recursive: true, force: true });
  if (values.write) await writeReliabilityPage(results);
}
const failed = results.filter(({ violations }) => violations.length > 0);
console.log(`${results.length - failed.length} of ${results.length} runs kept every promise.`);
if (failed.length > 0) console.log(`Broken with seed ${failed.map((result) => result.seed).join(", ")}.`);
process.exit(failed.length > 0 ? 1 : 0);
