import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const folder = new URL("../../src/", import.meta.url);
const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => ({ name, text: readFileSync(new URL(name, folder), "utf8") }));

function filesWith(pattern: RegExp): readonly string[] {
  return sources.flatMap(({ name, text }) => [...text.matchAll(pattern)].map(() => name)).sort();
}

test("text gets into a statement as it is at these places only, and each of them takes words of ours", () => {
  expect(filesWith(/\bsql\.raw\b/g)).toEqual([
    "store/cases/states.ts",
    "store/database/body-deletion.ts",
    "store/database/body-deletion.ts",
    "store/database/migrator.ts",
    "store/database/recordset.ts",
    "store/deliveries/delivery-tables.ts",
    "store/deliveries/delivery-tables.ts",
  ]);
});

test("no statement is put together from texts, but those that set up a database", () => {
  expect(new Set(filesWith(/\.query(?:<[^(]*>)?\(\s*(?:`[^`]*\$\{|"[^"]*" \+)/g))).toEqual(
    new Set([
      "store/database/grant-service.ts",
      "store/database/migrator.ts",
      "store/database/role-rights.ts",
      "store/embedded-postgres/own-database.ts",
    ]),
  );
});
