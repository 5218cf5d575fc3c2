import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { SlowestFirst } from "./test/harness/slowest-first.ts";
import quick from "./vitest.config.ts";

// Workers inherit it: see test/harness/sample-size.ts.
process.env["TEST_PROOF"] = "1";

export default defineConfig({
  test: {
    ...quick.test,
    include: ["test/**/*.proof.ts", "test/**/*.exhaustive.test.ts"],
    // Many of them wait most of the time, for processes that start, end and are killed.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    sequence: { ...quick.test?.sequence, sequencer: SlowestFirst },
  },
});
