/** Packages in which the tests spend much of their time. */
const hotPackages = "(?:fast-check|kysely|pg|pg-protocol|undici|yaml|zod)/";

/**
 * The tests of `npm test`: every `*.test.ts`. `npm run test:proof` runs the `*.proof.ts` beside them, which kill
 * processes, break connections or need Redis or a browser, and tries every case of the `*.exhaustive.test.ts`, of which
 * `npm test` tries a sample.
 *
 * @type {import("jest").Config}
 */
export default {
  // The name of the folder of compiled modules. By default each configuration has one, and the proofs compile all again.
  id: encodeURIComponent(import.meta.dirname),
  testMatch: ["<rootDir>/test/**/*.test.ts"],
  extensionsToTreatAsEsm: [".ts"],
  transform: { [`\\.ts$|node_modules/${hotPackages}.+js$`]: "<rootDir>/test/harness/transform-module.js" },
  transformIgnorePatterns: [`node_modules/(?!${hotPackages})`],
  setupFiles: ["<rootDir>/test/harness/seed-properties.ts"],
  globalSetup: "<rootDir>/test/harness/start-database.ts",
  globalTeardown: "<rootDir>/test/harness/stop-database.ts",
  maxWorkers: "100%",
  testTimeout: 30_000,
};
