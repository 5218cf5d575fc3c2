import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "@jest/globals";

const root = new URL("../../", import.meta.url);
const page = await readFile(new URL("docs/reliability.md", root), "utf8");

/** `- \`file\`: title` under each question of the part for operators. */
function readAnswers(text: string) {
  const [, ...parts] = text.split(/^## /m);
  const answers = parts.find((part) => part.startsWith("What happens if\n")) ?? "";
  return answers
    .split(/^### /m)
    .slice(1)
    .map((section) => ({
      question: section.slice(0, section.indexOf("\n")),
      tests: [...section.matchAll(/^- `(test\/[^`]+)`: (.+)$/gm)].map(([, file, title]) => ({
        file: file!,
        title: title!,
      })),
    }));
}

/** Whether a source has a test of that title, of one line or several. */
function hasTest(source: string, title: string): boolean {
  return ['"', "'", "`"].some((quote) => source.includes(`${quote}${title}${quote}`));
}

const answers = readAnswers(page);

describe("docs/reliability.md", () => {
  test("the page answers what people ask first", () => {
    const questions = answers.map(({ question }) => question);

    expect(questions).toEqual(
      expect.arrayContaining([
        "The power cord is pulled",
        "The same notification comes twice",
        "Notifications come in the wrong order",
        "The accept times out",
        "A worker is paused past its lease",
        "Redis is lost",
        "PostgreSQL is down for ten minutes",
        "The gateway is down for a day",
        "Credentials are wrong",
        "The disk is full",
        "A clock jumps",
        "The schema is behind, or ahead",
        "A notification is poison",
        "The policy file is broken",
        "Two deploys run at once",
      ]),
    );
  });

  test("each answer names a test", () => {
    expect(answers.filter(({ tests }) => tests.length === 0)).toEqual([]);
  });

  test.each(answers.flatMap(({ tests }) => tests.map(({ file, title }) => [file, title] as const)))(
    "the page names a test that exists: %s: %s",
    async (file, title) => {
      const source = await readFile(fileURLToPath(new URL(file, root)), "utf8");

      expect(hasTest(source, title) ? "there" : `${file} has no test '${title}'`).toBe("there");
    },
  );

  test("a test that does not exist is found", () => {
    const [answer] = readAnswers(
      "# Page\n\n## What happens if\n\n### A question\n\n- `test/a.test.ts`: that is gone\n\n## Design\n\n### A rule\n",
    );

    expect(answer).toEqual({ question: "A question", tests: [{ file: "test/a.test.ts", title: "that is gone" }] });
    expect(hasTest('test("that is here", () => {', "that is gone")).toBe(false);
  });
});
