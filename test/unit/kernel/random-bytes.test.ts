import { expect, test } from "vitest";
import { takeRandomBytes } from "../../../src/kernel/random-bytes.ts";

test("random bytes that were taken stay as they are and differ from all others, over many refills of the pool", () => {
  const taken = Array.from({ length: 5_000 }, (_, index) => takeRandomBytes(index % 2 === 0 ? 12 : 16));
  const asTaken = taken.map((bytes) => bytes.toString("hex"));

  expect(new Set(asTaken.map((text) => text.slice(0, 24))).size).toBe(taken.length);
  expect(taken.map((bytes) => bytes.toString("hex"))).toEqual(asTaken);
  expect(new Set(taken.map(({ length }) => length))).toEqual(new Set([12, 16]));
});

test("more random bytes than the pool is for are refused, and never fewer are returned", () => {
  expect(takeRandomBytes(64)).toHaveLength(64);
  for (const length of [65, 4_097]) expect(() => takeRandomBytes(length)).toThrow(RangeError);
});
