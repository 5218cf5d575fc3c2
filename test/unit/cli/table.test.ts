import { describe, expect, test } from "vitest";
import { styleFor } from "../../../src/cli/style.ts";
import { formatTable } from "../../../src/cli/table.ts";

describe("a table", () => {
  test("aligns its columns and leaves out those that are empty", () => {
    expect(
      formatTable(
        [{ title: "A" }, { title: "Empty" }, { title: "B" }],
        [
          ["long cell", "", "1"],
          ["x", "", "22"],
        ],
        {
          width: null,
        },
      ),
    ).toEqual(["A          B", "long cell  1", "x          22"]);
  });

  test("is exactly as wide as the terminal when it must shrink, and not shrunk when it fits", () => {
    const columns = [{ title: "Id" }, { title: "Text", flexible: true }];
    const rows = [["12345678", "abcdefghijklmnopqrst"]];

    expect(formatTable(columns, rows, { width: 30 })[1]).toBe("12345678  abcdefghijklmnopqrst");
    expect(formatTable(columns, rows, { width: 29 })[1]).toBe("12345678  abcdefghijklmnopqr…");
  });

  test("keeps twelve columns of a text, however narrow the terminal is", () => {
    const [, row] = formatTable([{ title: "Text", flexible: true }], [["abcdefghijklmnopqrst"]], { width: 5 });

    expect(row).toBe("abcdefghijk…");
  });

  test("does not count colours, and drops them from a cell that it cuts", () => {
    const red = styleFor({ stdout: { write: () => true, isTTY: true }, environment: {} }).bad("abcdefghijklmnopqrst");

    expect(formatTable([{ title: "T" }, { title: "B" }], [[red, "1"]], { width: null })[1]).toBe(`${red}  1`);
    expect(formatTable([{ title: "T", flexible: true }], [[red]], { width: 15 })[1]).toBe("abcdefghijklmn…");
  });

  test("goes on with a long text on further lines when it is asked to, and cuts only a word that is too long", () => {
    const columns = [{ title: "Id" }, { title: "Text", flexible: true }];

    expect(formatTable(columns, [["1", "one two three four five"]], { width: 18, wrap: true }).slice(1)).toEqual([
      "1   one two three",
      "    four five",
    ]);
    expect(
      formatTable([{ title: "Text", flexible: true }], [["abcdefghijklmnopqrst x"]], { width: 12, wrap: true }),
    ).toEqual(["Text", "abcdefghijk…", "x"]);
  });
});
