import { describe, expect, test } from "vitest";
import { itineraryOf } from "../../../src/itinerary/imported-order.ts";
import type { Itinerary } from "../../../src/itinerary/itinerary.ts";
import { firstPoll, nextPoll, pollAfterFailure } from "../../../src/worker/poll-schedule.ts";

const hour = 3_600_000;
const departure = Date.parse("2027-03-14T07:10:00Z");

/** LIS-FRA, leaving at 07:10 in Lisbon, which is 07:10 in UTC on that day; and perhaps back a week later. */
function flights(...returns: readonly string[]): Itinerary {
  const stated = itineraryOf({
    segments: [
      segment("LIS", "2027-03-14", "07:10", "FRA", "11:20", "1167"),
      ...returns.map((date) => segment("FRA", date, "17:30", "LIS", "19:45", "1172")),
    ],
  });
  if (!stated.ok) throw new Error(JSON.stringify(stated.problems));
  return stated.itinerary;
}

function segment(from: string, date: string, time: string, to: string, arrival: string, marketingFlightNumber: string) {
  return {
    departure: { airport: from, date, time },
    arrival: { airport: to, date, time: arrival },
    marketingCarrier: "LH",
    marketingFlightNumber,
  };
}

/** Hours until the next poll, without the spread. */
function hoursAt(hoursBefore: number, pollHours = 24, itinerary = flights()): number | string {
  const now = new Date(departure - hoursBefore * hour);
  const next = nextPoll([itinerary], { pollHours, now, random: () => 0.5 });
  return next.ended ?? Math.round(((next.nextPollAt.getTime() - now.getTime()) / hour) * 1_000) / 1_000;
}

describe("the next poll of a status", () => {
  test.each([
    [24 * 90 + 1, 96],
    [24 * 90, 48],
    [24 * 30 + 1, 48],
    [24 * 30, 24],
    [24 * 3 + 1, 24],
    [24 * 3, 12],
    [25, 12],
    [24, 6],
    [1, 6],
    [-1, 6],
    [-23, 6],
    [-24, "travelled"],
  ])("%d hours before departure is after %s hours, of 24", (before, expected) => {
    expect(hoursAt(before)).toBe(expected);
  });

  test("goes by the next of several departures, and ends by the last", () => {
    const roundTrip = flights("2027-03-21");
    expect(hoursAt(-1, 24, roundTrip)).toBe(24);
    expect(hoursAt(-24 * 5, 24, roundTrip)).toBe(12);
    expect(hoursAt(-24 * 7.9, 24, roundTrip)).toBe(6);
    expect(hoursAt(-24 * 8.5, 24, roundTrip)).toBe("travelled");
  });

  test("is never sooner than a quarter of an hour", () => {
    expect(hoursAt(1, 0.1)).toBe(0.25);
  });

  test("is after the usual time when no departure is known", () => {
    expect(hoursAt(1, 24, { segments: [], journeys: [] })).toBe(24);
  });

  test.each([
    [0, 0.9],
    [0.999, 1.1],
  ])("is spread by a tenth: %d", (random, part) => {
    const now = new Date(departure - 24 * 10 * hour);
    const next = nextPoll([flights()], { pollHours: 24, now, random: () => random });
    expect(next.ended ?? (next.nextPollAt.getTime() - now.getTime()) / (24 * hour)).toBeCloseTo(part, 2);
  });

  test("of an order that was never polled is anywhere in its interval", () => {
    const now = new Date(departure - 24 * 10 * hour);
    const hours = [0, 0.25, 0.75].map((random) => {
      const first = firstPoll([flights()], { pollHours: 24, now, random: () => random });
      return first.ended ?? (first.nextPollAt.getTime() - now.getTime()) / hour;
    });
    expect(hours).toEqual([0, 6, 18]);
    const late = new Date(departure + 24 * hour);
    expect(firstPoll([flights()], { pollHours: 24, now: late, random: () => 0 })).toEqual({
      nextPollAt: null,
      ended: "travelled",
    });
  });

  test("after failures comes soon, then less and less often, and never later than usual", () => {
    const now = new Date(departure);
    const minutes = [1, 2, 3, 9, 30].map(
      (failures) => (pollAfterFailure(failures, { pollHours: 24, now }).getTime() - now.getTime()) / 60_000,
    );
    expect(minutes).toEqual([5, 10, 20, 1280, 1440]);
  });
});
