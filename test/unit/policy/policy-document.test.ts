import { describe, expect, test } from "vitest";
import { readPolicyDocument } from "../../../src/policy/policy-document.ts";

/** Each writes a text of so many levels, or of so many indicators that the parser reads one within the other. */
const deep: Readonly<Record<string, (levels: number) => string>> = {
  "lists in brackets": (levels) => `a: ${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}`,
  "maps in braces": (levels) => `a: ${"{a: ".repeat(levels - 1)}${"}".repeat(levels - 1)}`,
  "brackets that stay open": (levels) => `a: ${"[".repeat(levels - 1)}`,
  "lists on one line": (levels) => `${"- ".repeat(levels - 1)}x`,
  "keys on one line": (levels) => `${"? ".repeat(levels - 1)}x`,
  "lists on lines": (levels) => Array.from({ length: levels }, (_, level) => `${" ".repeat(level)}-`).join("\n"),
  "maps on lines": (levels) => Array.from({ length: levels }, (_, level) => `${" ".repeat(level)}a:`).join("\n"),
  tags: (levels) => `a: ${"!a ".repeat(levels - 1)}x`,
  anchors: (levels) => `a: ${"&a ".repeat(levels - 1)}x`,
};

const isRefusedAsDeep = (text: string): boolean => {
  const read = readPolicyDocument(text);
  return !read.ok && read.problems[0]!.message.includes("nests deeper than 100 levels");
};

describe("the text of a policy", () => {
  test.each(Object.keys(deep))("may have 100 levels of %s, and no 101", (name) => {
    const write = deep[name]!;
    // After the key and its colon, the indicator of a value is one more in a row.
    const few = name === "tags" || name === "anchors" ? 99 : 100;

    expect(isRefusedAsDeep(write(few))).toBe(false);
    expect(isRefusedAsDeep(write(101))).toBe(true);
  });

  test.each(Object.keys(deep))("of 50,000 levels of %s is refused at once, and the process goes on", (name) => {
    expect(isRefusedAsDeep(deep[name]!(name.endsWith("on lines") ? 700 : 50_000))).toBe(true);
  });

  test("is refused at the place where it nests too deep", () => {
    expect(readPolicyDocument(`name: x\nrules: ${"[".repeat(120)}`)).toEqual({
      ok: false,
      problems: [{ line: 2, column: 107, message: expect.stringContaining("nests deeper than 100 levels") }],
    });
  });

  test("may have any number of lists and brackets one after the other, also unlike ones in a string", () => {
    const rules = Array.from(
      { length: 500 },
      (_, index) => `- when: '["a", "b"].exists(x, x == "${index}")'\n  then: [x]`,
    );
    const words = 'note: "see ) ] } and :-) - - - !"';

    expect(readPolicyDocument(`rules:\n${rules.join("\n")}\n${words}`)).toMatchObject({ ok: true });
  });

  test("may have 99 aliases, and no 100", () => {
    const withAliases = (count: number) =>
      readPolicyDocument(`one: &one 1\nmany: [${Array(count).fill("*one").join()}]`);

    expect(withAliases(99)).toMatchObject({ ok: true });
    expect(withAliases(100)).toMatchObject({
      ok: false,
      problems: [{ message: expect.stringContaining("The YAML aliases cannot be expanded") }],
    });
  });
});
