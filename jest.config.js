/**
 * The tests of `npm test`: every `*.test.ts`. `npm run test:proof` runs the `*.proof.ts` beside them, which kill
 * processes, break connections or try every case there is, and `npm run test:long` the `*.long.ts`.
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
