import { expect, test } from "@jest/globals";
import { formatShift } from "../../../../src/dashboard/web/words/moments.ts";

test.each([
  [0, null],
  [31, "+31 min"],
  [-59, "−59 min"],
  [60, "+1 h"],
  [-155, "−2 h 35 min"],
])("a shift of %p minutes is shown as %p", (minutes, shown) => {
  expect(formatShift(minutes)).toBe(shown);
});
