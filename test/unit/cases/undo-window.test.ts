import { describe, expect, test } from "vitest";
import { undoWindow } from "../../../src/cases/record-decision.ts";
import { known, unknown } from "../../../src/kernel/fact.ts";

const window = 10 * 60_000;
const day = 24 * 60;

describe("the undo window", () => {
  test.each([
    ["a week before departure", 7 * day, window],
    ["when it ends 24 hours before departure", day + 10, window],
    ["when it would end a minute later", day + 9, 0],
    ["on the day of departure", 60, 0],
    ["after departure", -60, 0],
  ])("%s is as it should be", (_name, minutes, expected) => {
    expect(undoWindow(window, known(minutes))).toBe(expected);
  });

  test("is none when nobody knows the departure, which may be near", () => {
    expect(undoWindow(window, unknown("no-flight-ahead"))).toBe(0);
  });

  test("is none when none is set", () => {
    expect(undoWindow(0, known(7 * day))).toBe(0);
  });
});
