import { describe, expect, test } from "vitest";
import { isAboutConnection, minimumStatedIn, shortConnectionWords } from "../../../src/itinerary/connection-words.ts";

describe("the words of a connection", () => {
  test.each([
    [40, 75, "40 min remain to connect at JFK and 75 min are needed"],
    [90, 105, "90 min remain to connect at JFK and 1 h 45 min are needed"],
    [91, 240, "1 h 31 min remain to connect at JFK and 4 h are needed"],
    [0, 75, "0 min remain to connect at JFK and 75 min are needed"],
    [-1, 75, "the next flight from JFK leaves 1 min before they arrive"],
    [-145, 75, "the next flight from JFK leaves 2 h 25 min before they arrive"],
    [null, 75, "an unknown time remains to connect at JFK and 75 min are needed"],
    [40, null, "40 min remain to connect at JFK and an unknown time is needed"],
  ])("for %p of %p minutes are found again by who reads the facts", (minutes, minimum, line) => {
    expect(shortConnectionWords("JFK", minutes, minimum)).toBe(line);
    expect(isAboutConnection(line, "JFK", minutes)).toBe(true);
    expect(isAboutConnection(line, "JFK", (minutes ?? 0) + 1)).toBe(false);
    expect(isAboutConnection(line, "FRA", minutes)).toBe(false);
    expect(minimumStatedIn(line)).toBe(minutes !== null && minutes < 0 ? null : minimum);
  });

  test.each([
    ["JFK 40 of 75 min DI", 40, 75],
    ["JFK 145 of 240 min II", 145, 240],
    ["JFK: 40 of 75 min", 40, 75],
    ["JFK: 40 min of 4 h", 40, 240],
    ["JFK: 1 h 31 min of 90 min", 91, 90],
    ["JFK: unknown of 75 min", null, 75],
    ["JFK: leaves 2 h 25 min before they arrive", -145, null],
    ["JFK: -145 of 75 min", -145, 75],
  ])("are understood as earlier versions and the list of all connections spell them: %s", (line, minutes, minimum) => {
    expect(isAboutConnection(line, "JFK", minutes)).toBe(true);
    expect(minimumStatedIn(line)).toBe(minimum);
  });
});
