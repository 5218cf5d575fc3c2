import { describe, expect, test } from "@jest/globals";
import {
  addMinutes,
  durationText,
  elapsedMinutes,
  printedMinutesBetween,
  readDuration,
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
    ["3 H 10 M", 190],
    ["1 Hrs 0 Min", 60],
    ["45 M", 45],
    ["0 H 45 M", 45],
    ["", null],
    ["soon", null],
    [null, null],
  ])("reads the length '%s'", (text, minutes) => {
    expect(readDuration(text)).toBe(minutes);
  });

  test("writes a length that it can read again", () => {
    expect(durationText(605)).toBe("10 H 5 M");
    expect(readDuration(durationText(605))).toBe(605);
  });
});
