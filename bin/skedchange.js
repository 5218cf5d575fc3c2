#!/usr/bin/env node
// Plain JavaScript that any Node.js of the last years can read, so that an old one gets a sentence and not a stack.
import { existsSync } from "node:fs";
import module from "node:module";
import { fileURLToPath } from "node:url";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const entry = new URL("../dist/cli/main.js", import.meta.url);

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Skedchange needs Node.js 20.19 or newer; this is ${process.versions.node}. See https://nodejs.org.`);
  process.exitCode = 1;
} else if (!existsSync(entry)) {
  console.error("Skedchange is not built. Run `npm ci`, or `npm run build` when the packages are installed.");
  process.exitCode = 1;
} else {
  // From Node.js 22.1 on, what was compiled is kept for the next start. Where the folder cannot be written, nothing is.
  module.enableCompileCache?.(fileURLToPath(new URL("../node_modules/.cache/skedchange", import.meta.url)));
  await import(entry.href);
}
