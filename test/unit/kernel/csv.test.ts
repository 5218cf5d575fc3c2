import { describe, expect, test } from "vitest";
import { csvRecord } from "../../../src/kernel/csv.ts";

describe("a record of a CSV file", () => {
  test.each([
    ["plain text", "plain text"],
    ["one, two", '"one, two"'],
    ['a "quoted" word', '"a ""quoted"" word"'],
    ["two\nlines", '"two\nlines"'],
    ["BCN-FRA leaves 07:30 (+1); arrives as booked", "BCN-FRA leaves 07:30 (+1); arrives as booked"],
    ["a=b, a@b.example | 5 - 3", '"a=b, a@b.example | 5 - 3"'],
    [null, ""],
    [undefined, ""],
    [-5, "-5"],
    [true, "true"],
    [new Date("2026-11-25T19:40:00Z"), "2026-11-25T19:40:00.000Z"],
  ])("writes %p as %p, unchanged", (value, cell) => {
    expect(csvRecord([value, "end"])).toBe(`${cell},end\r\n`);
  });

  test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "=A,B"])("lets no spreadsheet run %j", (text) => {
    expect(csvRecord([text]).replace(/^"/, "")).toMatch(/^'/);
  });

  test.each([
    ["X;=cmd|'/C calc'!A0;Y", "X;'=cmd|'/C calc'!A0;Y"],
    ["X\t+1", "X\t'+1"],
    ["X|-1", "X|'-1"],
    ["X,@A1", '"X,\'@A1"'],
    ["X; =1", "X;' =1"],
    ['X;"=1', '"X;\'""=1"'],
    ["X\r\n=1", '"X\r\n\'=1"'],
    ["X\n \u00a0=1", '"X\n\' \u00a0=1"'],
    ["X;\u200b=1", "X;'=1"],
    ["X;\u001b=1", "X;' =1"],
    ["＝1", "'＝1"],
    ["X;＋1;－1;＠A1", "X;'＋1;'－1;'＠A1"],
  ])("writes %j as %j, where a program with another separator begins a cell", (text, cell) => {
    expect(csvRecord([text])).toBe(`${cell}\r\n`);
  });

  test("holds no character that controls a terminal or that nobody sees", () => {
    expect(csvRecord(["a\u001b]52;c;eA==\u0007b\u009bc\u202ed\u2028e"])).toBe("a ]52;c;eA== b cd e\r\n");
  });
});
