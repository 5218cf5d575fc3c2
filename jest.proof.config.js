import quick from "./jest.config.js";

// Workers inherit it: see test/harness/sample-size.ts.
process.env["TEST_PROOF"] = "1";

/** @type {import("jest").Config} */
export default { ...quick, testMatch: ["<rootDir>/test/**/*.proof.ts", "<rootDir>/test/**/*.exhaustive.test.ts"] };
