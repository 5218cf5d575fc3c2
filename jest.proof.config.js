import quick from "./jest.config.js";

/** @type {import("jest").Config} */
export default { ...quick, testMatch: ["<rootDir>/test/**/*.proof.ts"] };
