import { describe, expect, test } from "vitest";
import { durationMinutes, durationText } from "../../../src/travel/duration.ts";

describe("durationMinutes", () => {
  test.each([
    ["3 H 50 M", 230],
    ["1 Hrs 0 Min", 60],
    ["3 h 5 m", 185],
    ["10H", 600],
    ["45 M", 45],
    ["2 hours 10 minutes", 130],
    ["1 D 2 H 3 M", 1563],
    ["03:50", 230],
    ["3:50 h", 230],
    ["3h50", 230],
    ["3 H 05", 185],
    ["PT3H50M", 230],
    ["PT3H50M0S", 230],
    ["230", 230],
    ["0", 0],
  ])("reads %j as %i minutes", (text, minutes) => {
    expect(durationMinutes(text)).toBe(minutes);
  });

  test.each([
    [""],
    [" "],
    ["H"],
    ["about three hours"],
    ["-5"],
    ["3 H 50 M 10 X"],
    ["3h7"],
    ["3h70"],
    ["PT3H50M30S"],
    ["03:70"],
    [null],
    [undefined],
  ])("reads nothing from %j", (text) => {
    expect(durationMinutes(text)).toBeNull();
  });

  test("reads what durationText writes", () => {
    expect(durationText(605)).toBe("10 H 5 M");
    expect(durationMinutes(durationText(605))).toBe(605);
  });
});
