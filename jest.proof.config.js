import { availableParallelism } from "node:os";
import quick from "./jest.config.js";

// Workers inherit it: see test/harness/sample-size.ts.
process.env["TEST_PROOF"] = "1";

/** @type {import("jest").Config} */
export default {
  ...quick,
  testMatch: ["<rootDir>/test/**/*.proof.ts", "<rootDir>/test/**/*.exhaustive.test.ts"],
  testSequencer: "<rootDir>/test/harness/slowest-first.js",
  // Many of them wait most of the time, for processes that start, end and are killed.
  maxWorkers: Math.ceil(1.5 * availableParallelism()),
};
