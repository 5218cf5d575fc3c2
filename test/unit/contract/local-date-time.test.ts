import { describe, expect, test } from "vitest";
import { localDateOf, utcOffsetOf } from "../../../src/contract/local-date-time.ts";
import { readSegmentValues } from "../../../src/contract/read-segment.ts";

describe("the offset from UTC behind a time", () => {
  test.each<[string, number | null | undefined]>([
    ["10:10", undefined],
    ["10:10:00", undefined],
    ["1010", undefined],
    ["10:10:00.000", undefined],
    ["10:10:00Z", 0],
    ["10:10:00.000Z", 0],
    ["10:10 UTC", 0],
    ["10:10:00+02:00", 120],
    ["10:10:00+0530", 330],
    ["10:10-03", -180],
    ["10:10:00 CEST", 120],
    ["10:10 LT", undefined],
    ["101000Z", 0],
    ["10:10 IST", null],
    ["10:10 XYZ", null],
    ["10:10:00+2", null],
  ])("of %s is %s minutes", (time, minutes) => {
    expect(utcOffsetOf(time)).toBe(minutes);
  });
});

test.each(["2027-05-05 +1", "2027-05-05 (next day)", "2027-05-05T"])("the date %s is none", (text) => {
  expect(localDateOf(text)).toBeNull();
});

test.each<[string, string, string]>([
  ["January", "2027-01-31", "2027-01-32"],
  ["February of a common year", "2027-02-28", "2027-02-29"],
  ["February of a leap year", "2028-02-29", "2028-02-30"],
  ["February of a century", "1900-02-28", "1900-02-29"],
  ["February of the fourth century", "2000-02-29", "2000-02-30"],
  ["April", "2027-04-30", "2027-04-31"],
  ["the year", "2027-12-31", "2027-13-01"],
  ["the days of a month, from the first on", "2027-06-01", "2027-06-00"],
  ["the months, from January on", "2027-01-01", "2027-00-01"],
])("of %s, %s is a date and %s is none", (_, last, beyond) => {
  expect([localDateOf(last), localDateOf(beyond)]).toEqual([last, null]);
});

test("an unreadable zone behind a time is kept as unreadable", () => {
  const read = (Time: string) => readSegmentValues({ Departure: { Date: "2027-05-05", Time } }).departure?.utcOffsets;

  expect(["12:10:00 CET", "12:10:00 (+1)", "12:10:00", "12:10:00Z", "12:10 CST"].map(read)).toEqual([
    [60],
    [],
    undefined,
    [0],
    [-360, 480],
  ]);
});

describe("a point with a time behind its date", () => {
  const read = (point: object) => {
    const { date, time, utcOffsets } = readSegmentValues({ Departure: point }).departure ?? {};
    return [date, time, utcOffsets];
  };

  test.each<[string, object, readonly unknown[]]>([
    ["has that time", { Date: "2027-05-05T10:10:00Z" }, ["2027-05-05", "10:10:00", [0]]],
    ["has the time of its own when the other is midnight", midnight("10:10:00"), ["2027-05-05", "10:10:00", undefined]],
    ["has the offset of either when both say the same", same("10:10:00"), ["2027-05-05", "10:10:00", [0]]],
    ["has no time when they contradict each other", same("12:10:00"), ["2027-05-05", null, undefined]],
  ])("%s", (_, point, values) => {
    expect(read(point)).toEqual(values);
  });

  function midnight(Time: string) {
    return { Date: "2027-05-05T00:00:00Z", Time };
  }

  function same(Time: string) {
    return { Date: "2027-05-05T10:10:00Z", Time };
  }
});
