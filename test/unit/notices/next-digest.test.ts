import { expect, test } from "vitest";
import { nextDigestAt } from "../../../src/notices/next-digest.ts";

const everyDay = [1, 2, 3, 4, 5, 6, 7];
const next = (times: readonly string[], weekdays: readonly number[], zone: string, after: string) =>
  nextDigestAt({ type: "digest", times, weekdays }, zone, new Date(after)).toISOString();

test.each([
  // 2026-11-27 is a Friday.
  ["later today", ["17:00", "08:00"], [5], "2026-11-27T08:30:00Z", "2026-11-27T17:00:00.000Z"],
  ["never the moment itself", ["08:30"], [5], "2026-11-27T08:30:00Z", "2026-12-04T08:30:00.000Z"],
  ["after the weekend", ["08:00"], [1, 2, 3, 4, 5], "2026-11-27T09:00:00Z", "2026-11-30T08:00:00.000Z"],
])("a digest is due %s", (_when, times, weekdays, after, expected) => {
  expect(next(times, weekdays, "UTC", after)).toBe(expected);
});

test("the day and the time are those of the zone", () => {
  // Monday in Auckland, still Sunday in UTC.
  expect(next(["07:00"], [1], "Pacific/Auckland", "2026-11-29T12:00:00Z")).toBe("2026-11-29T18:00:00.000Z");
});

test("a time that the clocks skip is due as much later, one that occurs twice is due once", () => {
  expect(next(["02:30"], everyDay, "Europe/Berlin", "2027-03-28T00:00:00Z")).toBe("2027-03-28T01:30:00.000Z");
  const first = next(["02:30"], everyDay, "Europe/Berlin", "2026-10-24T22:00:00Z");
  expect(first).toBe("2026-10-25T00:30:00.000Z");
  expect(next(["02:30"], everyDay, "Europe/Berlin", first)).toBe("2026-10-26T01:30:00.000Z");
});
