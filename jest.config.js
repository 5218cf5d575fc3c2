/**
 * The tests of `npm test`: every `*.test.ts`. `npm run test:proof` runs the `*.proof.ts` beside them, which kill
 * processes, break connections or need Redis or a browser, and tries every case of the `*.exhaustive.test.ts`, of which
 * `npm test` tries a sample.
 *
 * @type {import("jest").Config}
 */
export default {
  testMatch: ["<rootDir>/test/**/*.test.ts"],
  extensionsToTreatAsEsm: [".ts"],
  transform: {
    "^.+\\.ts$": [
      "@swc/jest",
      {
        jsc: {
          target: "es2022",
          parser: { syntax: "typescript" },
          // Node.js wants `with { type: "json" }` for data tables.
          experimental: { keepImportAttributes: true },
        },
      },
    ],
  },
  setupFiles: ["<rootDir>/test/harness/seed-properties.ts"],
  globalSetup: "<rootDir>/test/harness/start-database.ts",
  globalTeardown: "<rootDir>/test/harness/stop-database.ts",
  maxWorkers: "100%",
  testTimeout: 30_000,
};
