import { describe, expect, test } from "vitest";
import { describeSnoozeLimit, snoozePresets } from "../../../../src/dashboard/web/case/snooze-presets.ts";

const now = new Date("2026-11-21T10:00:00");
const inHours = (hours: number): Date => new Date(now.getTime() + hours * 3_600_000);

function labels(latest: Date | null, dueByAt: Date | null): readonly string[] {
  return snoozePresets({ now, latest, dueByAt }).map(({ label }) => label);
}

describe("the usual rests of a case", () => {
  test("are one hour, four hours, an hour before the deadline and the next morning", () => {
    const presets = snoozePresets({ now, latest: inHours(100), dueByAt: inHours(50) });

    expect(presets.map(({ until }) => until)).toEqual([
      inHours(1),
      inHours(4),
      inHours(49),
      new Date("2026-11-22T09:00:00"),
    ]);
  });

  test("leave out what would be past, or outlast the limit or the deadline", () => {
    expect(labels(inHours(23), null)).toEqual(["1 h", "4 h", "Tomorrow 9:00"]);
    expect(labels(inHours(22.9), null)).toEqual(["1 h", "4 h"]);
    expect(labels(inHours(100), inHours(7))).toEqual(["1 h", "4 h", "1 h before the deadline"]);
    expect(labels(inHours(100), inHours(1.5))).toEqual(["1 h", "1 h before the deadline"]);
    expect(labels(inHours(100), inHours(0.9))).toEqual([]);
    expect(labels(null, null)).toEqual(["1 h", "4 h", "Tomorrow 9:00"]);
  });

  test("are not limited by a deadline that has passed", () => {
    expect(labels(inHours(10), inHours(-1))).toEqual(["1 h", "4 h"]);
  });
});

describe("the limit of a snooze", () => {
  const limitOf = (latest: Date | null) => describeSnoozeLimit({ now, latest }, () => "tomorrow 09:00");

  test("is the time that the server takes, and is not the agency SLA", () => {
    expect(limitOf(inHours(23))).toBe(
      "Until tomorrow 09:00 at the latest. The agency SLA does not limit it: it starts again when the case comes back.",
    );
  });

  test("is described for many cases", () => {
    expect(limitOf(null)).toContain("At most 30 days, and not after the departure or a deadline.");
  });

  test("has passed once the departure or a deadline has", () => {
    expect(limitOf(now)).toBe("Its departure or a deadline has passed, so it cannot be snoozed.");
  });
});
