/**
 * How fast the product is beside others that do the same work. `docs/performance.md` says what is measured.
 *
 *     npm run bench -- [acknowledge] [decide] [deliver] [facts] [--rounds 5] [--seconds 4] [--connections 64] [--at-once 8]
 *         [--warm-up 2500] [--peers] [--out folder] [--write]
 */

import { buildDistIfStale } from "../test/harness/build-dist.ts";
import { createAcknowledge } from "./acknowledge/acknowledge.ts";
import { compilePrograms } from "./compile.ts";
import { createDecide } from "./decide/decide.ts";
import { createDeliver } from "./deliver/deliver.ts";
import { createFacts } from "./facts/facts.ts";
import { runBench } from "./run-bench.ts";

const interruption = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => interruption.abort());

buildDistIfStale();
const programs = compilePrograms();
try {
  process.exitCode = await runBench(process.argv.slice(2), {
    benchmarks: [createAcknowledge(programs), createDecide(programs), createDeliver(programs), createFacts(programs)],
    print: (text) => console.log(text),
    onProgress: (line) => console.error(line),
    signal: interruption.signal,
  });
} finally {
  programs.remove();
}
