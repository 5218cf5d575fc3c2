import { describe, expect, test } from "vitest";
import { aircraftOf } from "../../../src/itinerary/aircraft.ts";
import { cabinRanks } from "../../../src/itinerary/cabins.ts";
import { cityOf } from "../../../src/itinerary/metropolitan-areas.ts";

describe("metropolitan areas", () => {
  test.each([
    ["LHR", "LGW", true],
    ["JFK", "EWR", true],
    ["CDG", "ORY", true],
    ["HND", "NRT", true],
    ["LHR", "CDG", false],
    ["FRA", "HHN", false],
    ["QQQ", "QQQ", true],
    ["QQQ", "QQP", false],
  ])("contain %s and %s together: %s", (a, b, isSame) => {
    expect(cityOf(a) === cityOf(b)).toBe(isSame);
  });
});

describe("aircraft", () => {
  test("are known in either case, and not guessed at", () => {
    expect(aircraftOf("32n")).toEqual({ family: "A320", class: "narrowbody" });
    expect(aircraftOf("77W")).toEqual({ family: "777", class: "widebody" });
    expect(aircraftOf("")).toBeNull();
    expect(aircraftOf("ZZ9")).toBeNull();
  });
});

describe("cabins", () => {
  test.each<[string, number | null, number | null]>([
    ["Y", 0, 0],
    ["Premium Economy", 1, 1],
    ["BUSINESS CLASS", 2, 2],
    ["F", 3, 3],
    ["C/Y", 0, 2],
    ["C/5", null, null],
    ["", null, null],
    ["class", null, null],
  ])("are ranked: %j from %s to %s", (cabin, lowest, highest) => {
    const ranks = cabinRanks(cabin);

    expect([ranks?.lowest ?? null, ranks?.highest ?? null]).toEqual([lowest, highest]);
  });
});
