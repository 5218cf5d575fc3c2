import { expect, test } from "vitest";
import { counted } from "../../../src/kernel/counted.ts";

test.each([
  [0, "0 cases"],
  [1, "1 case"],
  [1_200, "1,200 cases"],
])("a noun stands in the singular beside one only: %i", (count, words) => {
  expect(counted(count, "case")).toBe(words);
});

test("a noun with another plural names it", () => {
  expect([counted(1, "delivery was", "deliveries were"), counted(2, "delivery was", "deliveries were")]).toEqual([
    "1 delivery was",
    "2 deliveries were",
  ]);
});
