import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("../../", import.meta.url);

test("every answer of docs/reliability.md names a test, and every test that it names exists", () => {
  const page = readFileSync(new URL("docs/reliability.md", root), "utf8");
  const questions = page.slice(page.indexOf("\n## What happens if\n"), page.indexOf("\n## How it is built to hold\n"));
  const [, ...sections] = questions.split(/^### /m);
  const tests = sections.map((section) => [...section.matchAll(/^- `(test\/[^`]+)`: (.+)$/gm)]);
  const missing = tests
    .flat()
    .filter(([, file = "", title = ""]) => !readFileSync(new URL(file, root), "utf8").includes(title))
    .map(([line]) => line);

  expect(sections.length).toBeGreaterThan(20);
  expect(sections.filter((_, index) => tests[index]!.length === 0)).toEqual([]);
  expect(missing).toEqual([]);
});
