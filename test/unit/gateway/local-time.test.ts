import { describe, expect, test } from "vitest";
import {
  addMinutes,
  elapsedMinutes,
  instantOf,
  printedMinutesBetween,
  readLocalTime,
} from "../../../src/gateway/local-time.ts";

describe("local times", () => {
  test.each([
    ["2027-03-14T07:10", { date: "2027-03-14", time: "07:10:00" }],
    ["2027-03-14T07:10:30", { date: "2027-03-14", time: "07:10:30" }],
    ["2028-02-29T00:00", { date: "2028-02-29", time: "00:00:00" }],
    ["2027-02-29T00:00", null],
    ["2027-03-14T24:00", null],
    ["2027-03-14", null],
    ["tomorrow", null],
  ])("reads %s", (text, expected) => {
    expect(readLocalTime(text)).toEqual(expected);
  });

  test.each([
    [20, { date: "2027-03-14", time: "23:59:00" }],
    [21, { date: "2027-03-15", time: "00:00:00" }],
    [-1_420, { date: "2027-03-13", time: "23:59:00" }],
    [0, { date: "2027-03-14", time: "23:39:00" }],
  ])("moves by %d minutes, over midnight where it must", (minutes, expected) => {
    expect(addMinutes({ date: "2027-03-14", time: "23:39:00" }, minutes)).toEqual(expected);
  });

  test("counts printed minutes without regard to zones", () => {
    const lisbon = { date: "2027-03-14", time: "07:10:00" };
    const frankfurt = { date: "2027-03-14", time: "11:20:00" };

    expect(printedMinutesBetween(lisbon, frankfurt)).toBe(250);
    expect(elapsedMinutes(lisbon, "Europe/Lisbon", frankfurt, "Europe/Berlin")).toBe(190);
  });

  test("counts an hour less over the night on which clocks go forward", () => {
    const before = { date: "2027-03-27", time: "23:30:00" };
    const after = { date: "2027-03-28", time: "04:30:00" };

    expect(elapsedMinutes(before, "Europe/Berlin", after, "Europe/Berlin")).toBe(240);
  });

  test.each([
    ["Europe/Berlin", "2027-10-31", "02:30:00", "2027-10-31T00:30:00.000Z"],
    ["America/New_York", "2027-11-07", "01:30:00", "2027-11-07T05:30:00.000Z"],
  ])("a time that occurs twice in %s is read as its first", (zone, date, time, first) => {
    expect(new Date(instantOf({ date, time }, zone)).toISOString()).toBe(first);
  });

  test.each([
    ["Europe/Berlin", "2027-03-28", "02:30:00", "2027-03-28T01:30:00.000Z"],
    ["America/New_York", "2027-03-14", "02:30:00", "2027-03-14T07:30:00.000Z"],
  ])("a time that is skipped in %s is read as if the clocks had not gone forward", (zone, date, time, instant) => {
    expect(new Date(instantOf({ date, time }, zone)).toISOString()).toBe(instant);
  });
});
