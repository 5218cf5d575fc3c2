import { readFileSync } from "node:fs";
import type { OperationName } from "../contract/operations/operation.ts";

/** Reads a body of `src/contract/examples`. OCN is the notification. */
export function readExample(name: OperationName | "OCN", part: "request" | "response"): unknown {
  const file = new URL(`../contract/examples/${name}.${part}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8"));
}
