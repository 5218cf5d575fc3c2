import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  minorDigitsOf,
  percentOf,
  splitEvenly,
  toDecimal,
  toDecimalText,
  toMinorUnits,
} from "../../../src/travel/money.ts";

describe("money", () => {
  test.each([
    ["USD", 2],
    ["JPY", 0],
    ["KWD", 3],
    ["none", 2],
  ])("knows the minor digits of %s", (currency, digits) => {
    expect(minorDigitsOf(currency)).toBe(digits);
  });

  test.each([
    [41_250, 2, 412.5, "412.50"],
    [5, 2, 0.05, "0.05"],
    [-1, 2, -0.01, "-0.01"],
    [1_134, 0, 1_134, "1134"],
    [0, 2, 0, "0.00"],
  ])("writes %d minor units of %d digits", (amount, digits, decimal, text) => {
    expect(toDecimal(amount, digits)).toBe(decimal);
    expect(toDecimalText(amount, digits)).toBe(text);
  });

  test.each([
    [1134.38, 2, 113_438],
    ["1134.38", 2, 113_438],
    ["57.581132", 2, 5_758],
    ["0.005", 2, 1],
    ["0.004", 2, 0],
    [0.1 + 0.2, 2, 30],
    ["NA", 2, null],
    [null, 2, null],
  ])("reads %p as %d-digit money", (value, digits, expected) => {
    expect(toMinorUnits(value, digits)).toBe(expected);
  });

  test("survives being written and read, for every amount", () => {
    fc.assert(
      fc.property(fc.integer({ min: -10_000_000, max: 10_000_000 }), fc.constantFrom(0, 2, 3), (amount, digits) => {
        expect(toMinorUnits(toDecimal(amount, digits), digits)).toBe(amount);
      }),
    );
  });

  test("splits without losing a cent", () => {
    expect(splitEvenly(100, 3)).toEqual([34, 33, 33]);
    expect(splitEvenly(0, 2)).toEqual([0, 0]);
  });

  test("rounds a share half up", () => {
    expect(percentOf(105, 10)).toBe(11);
    expect(percentOf(104, 10)).toBe(10);
  });
});
