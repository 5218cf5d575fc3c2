import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** React escapes what it shows. Each of these would go around it. */
const waysAround =
  /dangerouslySetInnerHTML|\b(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write|\beval\(|new Function\(/;

test("No page makes HTML or a script of a text", () => {
  const folder = new URL("../../../../src/dashboard/web/", import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name));

  expect(files.length).toBeGreaterThan(50);
  expect(files.filter((name) => waysAround.test(readFileSync(new URL(name, folder), "utf8")))).toEqual([]);
});
