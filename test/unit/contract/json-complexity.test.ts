import { describe, expect, test } from "vitest";
import { exceedsJsonBounds } from "../../../src/contract/json-complexity.ts";

const exceeds = (text: string, bounds: { depth?: number; values?: number }): boolean =>
  exceedsJsonBounds(Buffer.from(text), { depth: 100, values: 100, ...bounds });

describe("the bounds of JSON", () => {
  test("allow lists and objects nested as deep as they say, and no deeper", () => {
    expect(exceeds('{"a":[{}]}', { depth: 3 })).toBe(false);
    expect(exceeds('{"a":[{}]}', { depth: 2 })).toBe(true);
    expect(exceeds("[[],[],[]]", { depth: 2 })).toBe(false);
  });

  test("count what separates values", () => {
    expect(exceeds("[1,2,3]", { values: 3 })).toBe(false);
    expect(exceeds("[1,2,3]", { values: 2 })).toBe(true);
    expect(exceeds('{"a":1,"b":2}', { values: 4 })).toBe(false);
    expect(exceeds('{"a":1,"b":2}', { values: 3 })).toBe(true);
  });

  test("do not count what is inside strings, also behind escaped quotes", () => {
    expect(exceeds('"[[[[,,,,"', { depth: 0, values: 0 })).toBe(false);
    expect(exceeds('["\\"[[[","\\\\",1]', { depth: 1, values: 3 })).toBe(false);
    expect(exceeds('["\\\\",[[]]]', { depth: 2 })).toBe(true);
  });

  test("end with a text that ends within a string", () => {
    expect(exceeds('["[[[', { depth: 1 })).toBe(false);
    expect(exceeds('["\\', { depth: 1 })).toBe(false);
  });
});
