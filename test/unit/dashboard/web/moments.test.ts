import { expect, test } from "vitest";
import {
  formatCountdown,
  formatInstant,
  formatShift,
  nameZone,
  parseInstant,
  toLocalInput,
} from "../../../../src/dashboard/web/labels/moments.ts";

test.each([
  [0, null],
  [31, "+31 min"],
  [-59, "−59 min"],
  [60, "+1 h"],
  [-155, "−2 h 35 min"],
])("a shift of %p minutes is shown as %p", (minutes, shown) => {
  expect(formatShift(minutes)).toBe(shown);
});

test.each([
  [-1, "0:00"],
  [0.2, "0:01"],
  [59, "0:59"],
  [60, "1:00"],
  [3_599, "59:59"],
  [3_600, "1:00:00"],
  [3_729, "1:02:09"],
])("%p seconds left are counted down as %p", (seconds, shown) => {
  expect(formatCountdown(seconds)).toBe(shown);
});

test("a field for a local time is filled and read without moving the instant", () => {
  const instant = new Date("2026-03-05T08:07:00Z");

  expect(toLocalInput(instant)).toMatch(/^2026-03-0\dT\d\d:07$/);
  expect(parseInstant(toLocalInput(instant))).toEqual(instant);
});

test.each(["", "tomorrow"])("a field that holds %p names no instant", (text) => {
  expect(parseInstant(text)).toBeNull();
});

test.each([
  ["2026-11-26T00:05:00", "today 00:05"],
  ["2026-11-25T23:59:00", "yesterday 23:59"],
  ["2026-11-27T09:00:00", "tomorrow 09:00"],
  ["2026-11-24T13:28:54", "24 Nov 13:28"],
  ["2027-01-01T18:00:00", "1 Jan 2027 18:00"],
])("the instant %p is shown with its day, as %p", (instant, shown) => {
  expect(formatInstant(new Date(instant), new Date("2026-11-26T13:28:00"))).toBe(shown);
});

test.each([
  ["Europe/Berlin", -60, "Europe/Berlin (UTC+1)"],
  ["Asia/Kolkata", -330, "Asia/Kolkata (UTC+5:30)"],
  ["America/St_Johns", 210, "America/St_Johns (UTC−3:30)"],
  ["Africa/Abidjan", 0, "Africa/Abidjan (UTC)"],
  ["UTC", 0, "UTC"],
])("the zone %p, %p minutes behind UTC, is named %p", (zone, minutesBehind, named) => {
  expect(nameZone(new Date("2026-11-26T13:28:00Z"), zone, minutesBehind)).toBe(named);
});
