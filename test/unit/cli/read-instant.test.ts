import { describe, expect, test } from "vitest";
import { readEarlier, readInstant, readLater } from "../../../src/cli/read-instant.ts";

const now = new Date("2026-11-20T10:00:00Z");

describe("a time given on the command line", () => {
  test.each([
    ["30m", "2026-11-20T10:30:00.000Z"],
    ["2h", "2026-11-20T12:00:00.000Z"],
    ["3d", "2026-11-23T10:00:00.000Z"],
    ["2027-01-01T00:00:00+01:00", "2026-12-31T23:00:00.000Z"],
  ])("%s, where it lies ahead, is %s", (text, expected) => {
    expect(readLater(text, now).toISOString()).toBe(expected);
  });

  test("tomorrow is at nine in the morning where the terminal is", () => {
    const tomorrow = readLater("tomorrow", new Date(2026, 11, 31, 23, 59));

    expect(tomorrow).toEqual(new Date(2027, 0, 1, 9, 0));
  });

  test.each([
    ["0m", "2026-11-20T10:00:00.000Z"],
    ["2h", "2026-11-20T08:00:00.000Z"],
    ["7d", "2026-11-13T10:00:00.000Z"],
    ["2026-11-01T00:00:00Z", "2026-11-01T00:00:00.000Z"],
  ])("%s, where it lies behind, is %s", (text, expected) => {
    expect(readEarlier(text, now).toISOString()).toBe(expected);
  });

  test.each([
    "2",
    "h",
    "2 h",
    "-2h",
    "2y",
    "1.5h",
    "123456h",
    "2026-11-20",
    "2026-11-20T10:00:00",
    "2026-13-01T00:00Z",
  ])("%s is refused, with what is possible", (text) => {
    expect(() => readLater(text, now)).toThrow("Give 30m, 2h, 3d, tomorrow");
    expect(() => readEarlier(text, now)).toThrow("Give 30m, 2h or 3d for so long ago");
  });

  test("yesterday's words are not known, and an exact instant takes no duration", () => {
    expect(() => readEarlier("tomorrow", now)).toThrow("so long ago");
    expect(() => readInstant("2h")).toThrow("Give an instant with its zone");
  });
});
