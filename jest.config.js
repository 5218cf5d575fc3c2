/** @type {import("jest").Config} */
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
  globalSetup: "<rootDir>/test/harness/start-database.ts",
  globalTeardown: "<rootDir>/test/harness/stop-database.ts",
  maxWorkers: 2,
  testTimeout: 60_000,
};
