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
  setupFiles: ["<rootDir>/test/harness/seed-properties.ts"],
  globalSetup: "<rootDir>/test/harness/start-database.ts",
  globalTeardown: "<rootDir>/test/harness/stop-database.ts",
  maxWorkers: 2,
  testTimeout: 180_000,
};
