import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createTransformer } from "@swc/jest";

/** Those that no test replaces: not the timers, not `fetch`. */
const builtIns = [
  ...["Array", "BigInt", "Boolean", "Buffer", "Date", "Error", "Intl", "JSON", "Map", "Math", "Number", "Object"],
  ...["Promise", "Reflect", "RegExp", "Set", "String", "Symbol", "TextDecoder", "TextEncoder", "Uint8Array", "URL"],
  ...["WeakMap", "WeakSet", "decodeURIComponent", "encodeURIComponent"],
];

const compiler = createTransformer({
  // In a file of its own, which is read when an error's stack is shown. Within the code it is read at each loading.
  sourceMaps: true,
  jsc: {
    target: "es2022",
    parser: { syntax: "typescript" },
    // Node.js wants `with { type: "json" }` for data tables.
    experimental: { keepImportAttributes: true },
  },
});

const version = createHash("sha256")
  .update(readFileSync(new URL(import.meta.url)))
  .digest("hex");

/**
 * Compiles TypeScript for jest, and has each module, also those of packages, look up the built-in objects once. Jest runs
 * tests in a context of `node:vm`, where looking up a global takes 240 ns: as long as many a function under test.
 */
export default {
  getCacheKey: (source, path, options) => `${version}${compiler.getCacheKey(source, path, options)}`,
  process: (source, path, options) =>
    withBuiltIns(path.endsWith(".ts") ? compiler.process(source, path, options) : { code: source }),
};

/** On the first line, so that the others keep their numbers. A directive must stay the first statement. */
function withBuiltIns({ code, ...rest }) {
  const names = builtIns.filter((name) => uses(code, name) && !declares(code, name));
  return { ...rest, code: `"use strict"; const { ${names.join(", ")} } = globalThis; ${code}` };
}

function uses(code, name) {
  return new RegExp(`\\b${name}\\b`).test(code);
}

/** True also for code that only looks as if it did; its module then looks the global up each time. */
function declares(code, name) {
  return new RegExp(`\\b(?:import|const|let|var|class|function)\\b[^=;(]*\\b${name}\\b`).test(code);
}
