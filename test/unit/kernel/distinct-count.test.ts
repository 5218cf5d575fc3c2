import { describe, expect, test } from "vitest";
import { bitOf, bitText, distinctBits, distinctCount, distinctMax } from "../../../src/kernel/distinct-count.ts";

function bitsOf(count: number): ReadonlySet<number> {
  return new Set(Array.from({ length: count }, (_, at) => bitOf(`ORDER${at}`)));
}

describe("a count of different texts", () => {
  test.each([0, 1, 2, 10])("of %i is exact", (count) => {
    expect(distinctCount(bitsOf(count).size)).toBe(count);
  });

  test.each([100, 500, 1_000, 3_000])("of %i is within 10 percent", (count) => {
    const counted = distinctCount(bitsOf(count).size);

    expect(Math.abs(counted - count)).toBeLessThanOrEqual(count / 10);
  });

  test("counts a repeated text once", () => {
    expect(new Set([bitOf("ORDER1"), bitOf("ORDER1")]).size).toBe(1);
  });

  test("ends where texts can no longer be distinguished", () => {
    expect(distinctCount(distinctBits)).toBe(distinctMax);
    expect(distinctCount(distinctBits - 1)).toBe(distinctMax);
  });

  test("is written with a character for each bit", () => {
    expect(bitText(new Set([0, 2]))).toBe(`101${"0".repeat(distinctBits - 3)}`);
  });
});
