import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "@jest/globals";

const src = fileURLToPath(new URL("../../../src", import.meta.url));
const sources = readdirSync(src, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts"))
  .map((path) => ({ path, text: readFileSync(`${src}/${path}`, "utf8") }));

function placesOf(pattern: RegExp): readonly string[] {
  return sources.flatMap(({ path, text }) => [...text.matchAll(pattern)].map(([match]) => `${path}: ${match}`));
}

describe("the crash points", () => {
  test("do nothing in earnest, whatever is set", () => {
    expect(placesOf(/crashPoint: .*,/g)).toEqual(["app/worker-runtime.ts: crashPoint: () => {},"]);
  });
});
