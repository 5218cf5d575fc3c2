import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { elapsedMinutes } from "../../../../src/gateway/local-time.ts";
import { airportCodes, findAirport } from "../../../../src/gateway/served-airports.ts";
import { simulatedAirlines } from "../../../../src/gateway/supply/simulated/airlines.ts";
import { milesBetween } from "../../../../src/gateway/supply/simulated/distance.ts";
import { draw, drawInteger, drawOne } from "../../../../src/gateway/supply/simulated/draw.ts";
import { findItineraries } from "../../../../src/gateway/supply/simulated/itineraries.ts";
import { flightsOn, isSummer } from "../../../../src/gateway/supply/simulated/schedule.ts";
import { sampleSize } from "../../../harness/sample-size.ts";

const airport = fc.constantFrom(...airportCodes);
const airline = fc.constantFrom(...simulatedAirlines);
const date = fc
  .integer({ min: 0, max: 360 })
  .map((day) => new Date(Date.UTC(2026, 10, 21 + day)).toISOString().slice(0, 10));

/** Each looks at every hub of an airline. */
const runs = { numRuns: sampleSize({ quick: 10, proof: 40 }) };

describe("draw", () => {
  test("gives the same number for the same keys, from 0 up to 1, spread evenly", () => {
    const numbers = Array.from({ length: 10_000 }, (_, index) => draw("seed", index));

    expect(numbers).toEqual(Array.from({ length: 10_000 }, (_, index) => draw("seed", index)));
    expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true);
    const tenths = Array.from({ length: 10 }, (_, tenth) => numbers.filter((n) => Math.floor(n * 10) === tenth).length);
    expect(Math.min(...tenths)).toBeGreaterThan(850);
    expect(Math.max(...tenths)).toBeLessThan(1150);
  });

  test("reaches both ends of whole numbers and every choice", () => {
    const keys = Array.from({ length: 200 }, (_, index) => index);

    expect(new Set(keys.map((key) => drawInteger(-1, 1, key)))).toEqual(new Set([-1, 0, 1]));
    expect(new Set(keys.map((key) => drawOne(["a", "b"], key)))).toEqual(new Set(["a", "b"]));
    expect(() => drawOne([], "key")).toThrow(RangeError);
  });
});

describe("the timetable", () => {
  test("is the same for the same seed and another one for another seed", () => {
    const flights = (seed: string) => findItineraries(seed, "LIS", "FRA", "2027-03-14");

    expect(flights("a")).toEqual(flights("a"));
    expect(flights("a")).not.toEqual(flights("b"));
  });

  test("has flights whose times fit the zones and whose speed is that of an airliner", () => {
    fc.assert(
      fc.property(airline, airport, date, (carrier, to, day) => {
        for (const from of carrier.hubs) {
          for (const flight of flightsOn("seed", carrier, from, to, day)) {
            const [origin, destination] = [findAirport(from)!, findAirport(to)!];
            const elapsed = elapsedMinutes(flight.departure, origin.timeZone, flight.arrival, destination.timeZone);
            expect(elapsed).toBe(flight.minutes);
            expect(flight.departure.date).toBe(day);
            expect(flight.miles).toBe(milesBetween(origin, destination));
            expect(flight.minutes).toBeGreaterThanOrEqual(40);
            expect(flight.minutes).toBeLessThan(20 * 60);
            const milesAnHour = flight.miles / ((flight.minutes - 32) / 60);
            if (flight.miles > 300) expect([flight, milesAnHour > 440 && milesAnHour < 530]).toEqual([flight, true]);
          }
        }
      }),
      runs,
    );
  });

  test("brings everybody home: a route is flown in both directions or in neither", () => {
    fc.assert(
      fc.property(airline, airport, (carrier, away) => {
        for (const hub of carrier.hubs) {
          const days = ["2027-07-05", "2027-07-06", "2027-07-07"];
          const there = days.some((day) => flightsOn("seed", carrier, hub, away, day).length > 0);
          const back = days.some((day) => flightsOn("seed", carrier, away, hub, day).length > 0);
          expect([carrier.code, hub, away, there]).toEqual([carrier.code, hub, away, back]);
        }
      }),
      runs,
    );
  });

  test.each(["LH", "UA", "AA", "TP"])("gives every flight of %s on a day a number of its own below 10,000", (code) => {
    const carrier = simulatedAirlines.find((candidate) => candidate.code === code)!;
    const routes = new Set(
      carrier.hubs.flatMap((hub) => airportCodes.flatMap((to) => [`${hub} ${to}`, `${to} ${hub}`])),
    );

    const numbers = [...routes].flatMap((route) => {
      const [from = "", to = ""] = route.split(" ");
      return flightsOn("seed", carrier, from, to, "2027-07-05").map(({ flightNumber }) => Number(flightNumber));
    });

    expect(numbers.length).toBeGreaterThan(100);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...numbers)).toBeLessThan(10_000);
  });

  test.each([
    ["2027-03-27", false],
    ["2027-03-28", true],
    ["2027-10-30", true],
    ["2027-10-31", false],
    ["2026-03-28", false],
    ["2026-03-29", true],
  ])("on %s is that of the summer: %s", (day, expected) => {
    expect(isSummer(day)).toBe(expected);
  });

  test("differs between winter and summer", () => {
    const lufthansa = simulatedAirlines.find(({ code }) => code === "LH")!;
    const times = (day: string) =>
      airportCodes.flatMap((to) => flightsOn("seed", lufthansa, "FRA", to, day).map(({ departure }) => departure.time));

    // Both are Sundays, and a week apart.
    expect(times("2027-03-21")).not.toEqual(times("2027-03-28"));
    expect(times("2027-03-28")).toEqual(times("2027-04-04"));
  });

  test("connects flights of one airline at a hub with time to change, and without going far out of the way", () => {
    fc.assert(
      fc.property(airport, airport, date, (from, to, day) => {
        for (const { airline, flights } of findItineraries("seed", from, to, day)) {
          const [first, second, ...others] = flights;
          expect(others).toEqual([]);
          expect(flights.every(({ carrier }) => carrier === airline)).toBe(true);
          expect([first!.from, flights.at(-1)!.to]).toEqual([from, to]);
          if (second === undefined) continue;
          expect(second.from).toBe(first!.to);
          const zone = findAirport(second.from)!.timeZone;
          const wait = elapsedMinutes(first!.arrival, zone, second.departure, zone);
          expect(wait).toBeGreaterThanOrEqual(55);
          expect(wait).toBeLessThanOrEqual(360);
          const straight = milesBetween(findAirport(from)!, findAirport(to)!);
          expect(first!.miles + second.miles).toBeLessThanOrEqual(straight * 1.5 + 250);
        }
      }),
      runs,
    );
  });

  test("serves most pairs of airports", () => {
    const everyNth = sampleSize({ quick: 397, proof: 97 });
    const pairs = airportCodes.flatMap((from, a) =>
      airportCodes.flatMap((to, b) => (from !== to && (a * 7 + b) % everyNth === 0 ? [[from, to] as const] : [])),
    );

    const served = pairs.filter(([from, to]) => findItineraries("seed", from, to, "2027-05-12").length > 0);

    expect(served.length / pairs.length).toBeGreaterThan(0.85);
  });
});
