import { describe, expect, test } from "@jest/globals";
import { csvRecord } from "../../../src/dashboard/api/csv.ts";

describe("a record of a CSV file", () => {
  test.each([
    ["plain text", "plain text"],
    ["one, two", '"one, two"'],
    ['a "quoted" word', '"a ""quoted"" word"'],
    ["two\nlines", '"two\nlines"'],
    [null, ""],
    [undefined, ""],
    [-5, "-5"],
    [true, "true"],
    [new Date("2026-11-25T19:40:00Z"), "2026-11-25T19:40:00.000Z"],
  ])("writes %p as %p", (value, cell) => {
    expect(csvRecord([value, "end"])).toBe(`${cell},end\r\n`);
  });

  test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "=A,B"])("lets no spreadsheet run %j", (text) => {
    const [cell] = csvRecord([text]).split("\r\n").slice(0, 1);

    expect(csvRecord([text]).replace(/^"/, "")).toMatch(/^'/);
    expect(cell).toBeDefined();
  });
});
