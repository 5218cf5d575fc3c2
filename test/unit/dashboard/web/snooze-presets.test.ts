import { describe, expect, test } from "@jest/globals";
import { latestSnooze, snoozePresets } from "../../../../src/dashboard/web/words/snooze-presets.ts";

const now = new Date("2026-11-21T10:00:00");
const inHours = (hours: number): Date => new Date(now.getTime() + hours * 3_600_000);

function labels(departureAt: Date | null, dueByAt: Date | null): readonly string[] {
  return snoozePresets({ now, departureAt, dueByAt }).map(({ label }) => label);
}

describe("the usual rests of a case", () => {
  test("are one hour, four hours, an hour before the deadline and the next morning", () => {
    const presets = snoozePresets({ now, departureAt: inHours(100), dueByAt: inHours(50) });

    expect(presets.map(({ until }) => until)).toEqual([
      inHours(1),
      inHours(4),
      inHours(49),
      new Date("2026-11-22T09:00:00"),
    ]);
  });

  test("leave out what would be past, or outlast the departure or the clock", () => {
    expect(labels(inHours(23), null)).toEqual(["1 h", "4 h", "Tomorrow 9:00"]);
    expect(labels(inHours(22.9), null)).toEqual(["1 h", "4 h"]);
    expect(labels(inHours(100), inHours(7))).toEqual(["1 h", "4 h", "1 h before the deadline"]);
    expect(labels(inHours(100), inHours(1.5))).toEqual(["1 h", "1 h before the deadline"]);
    expect(labels(inHours(100), inHours(0.9))).toEqual([]);
    expect(labels(null, null)).toEqual(["1 h", "4 h", "Tomorrow 9:00"]);
  });

  test("end after thirty days at the latest, and a clock that has run out ends none", () => {
    expect(latestSnooze({ now, departureAt: null, dueByAt: null })).toEqual(inHours(30 * 24));
    expect(latestSnooze({ now, departureAt: inHours(10), dueByAt: inHours(-1) })).toEqual(inHours(10));
  });
});
