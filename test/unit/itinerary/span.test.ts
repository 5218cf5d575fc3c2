import { expect, test } from "vitest";
import { spanOf } from "../../../src/itinerary/span.ts";

test.each([
  [0, "0 min"],
  [90, "90 min"],
  [91, "1 h 31 min"],
  [120, "2 h"],
  [1440, "1 day"],
  [2 * 1440 + 100, "2 days 1 h 40 min"],
  [2 * 1440 + 90, "2 days 90 min"],
])("%p minutes are %s", (minutes, words) => {
  expect(spanOf(minutes)).toBe(words);
});
