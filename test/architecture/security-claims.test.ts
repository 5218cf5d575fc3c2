import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const root = new URL("../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");
/** Lines are wrapped anywhere. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

const page = read("docs/security.md");
const boundaries = page.slice(page.indexOf("## What protects each boundary"), page.indexOf("## What is not met"));

/** A quotation of the page, and the lines below it that name its tests. */
const claims = [...read("test/security/claims.md").matchAll(/^> (.+)\n((?:\n?- .+\n)*)/gm)].map(([, words, tests]) => ({
  words: words!,
  tests: [...tests!.matchAll(/^- `(test\/[^`]+)`: (.+)$/gm)].map(([, file, title]) => ({ file: file!, title: title! })),
}));

describe("test/security/claims.md", () => {
  test("quotes docs/security.md as it is", () => {
    expect(claims.length).toBeGreaterThan(100);
    expect(claims.map(({ words }) => words).filter((words) => !oneLine(page).includes(words))).toEqual([]);
  });

  test("names tests that exist, for every claim but those that state a risk", () => {
    const missing = claims
      .flatMap(({ tests }) => tests)
      .filter(({ file, title }) => !read(file).includes(JSON.stringify(title)));

    expect(missing).toEqual([]);
    expect(claims.filter(({ tests }) => tests.length === 0).map(({ words }) => words)).toEqual([
      "Letters of other scripts that look alike are accepted",
      "Whoever may add a recipient chooses where we connect to",
    ]);
  });

  test("has a claim for every sentence and clause about what protects a boundary", () => {
    const parts = partsOf(boundaries);
    const unclaimed = parts.filter((part) => !claims.some(({ words }) => part.includes(words) || words.includes(part)));

    expect(parts.length).toBeGreaterThan(60);
    expect(unclaimed).toEqual([]);
  });
});

/** The sentences, and what stands between semicolons, of paragraphs and of the last column of tables. */
function partsOf(section: string): readonly string[] {
  const paragraphs = section.split(/\n\n/).filter((text) => !text.startsWith("#") && !text.startsWith("|"));
  const cells = [...section.matchAll(/^\| .+ \| (.+) \|$/gm)].map(([, cell]) => cell!);
  return [...paragraphs, ...cells.filter((cell) => cell !== "what protects")]
    .flatMap((text) => oneLine(text).split(/(?<=[.;]) /))
    .map((part) => part.replace(/[.;]$/, ""))
    .filter((part) => part !== "");
}
