import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/**
 * The tests of `npm test`: every `*.test.ts`. `npm run test:proof` runs the `*.proof.ts` beside them, which kill
 * processes, break connections or need Redis or a browser, and tries every case of the `*.exhaustive.test.ts`, of which
 * `npm test` tries a sample.
 */
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: "test/harness/start-database.ts",
    setupFiles: "test/harness/seed-properties.ts",
    // A worker loads each module once for all the files that it runs, so a test puts back what it changes in one.
    isolate: false,
    maxWorkers: availableParallelism(),
    execArgv: ["--max-semi-space-size=64"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    sequence: { hooks: "list" },
  },
});
