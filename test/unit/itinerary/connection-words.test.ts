import { describe, expect, test } from "@jest/globals";
import { connectionWords, isAboutConnection, minimumStatedIn } from "../../../src/itinerary/connection-words.ts";

describe("the words of a connection", () => {
  test.each([
    [40, 75, "40 of 75 min"],
    [90, 90, "90 of 90 min"],
    [91, 90, "1 h 31 min of 90 min"],
    [40, 240, "40 min of 4 h"],
    [0, 75, "0 of 75 min"],
    [-1, 75, "leaves 1 min before they arrive"],
    [-145, 75, "leaves 2 h 25 min before they arrive"],
    [null, 75, "unknown of 75 min"],
    [40, null, "40 of unknown min"],
    [100, null, "1 h 40 min of unknown"],
  ])("for %p of %p minutes are found again by who reads the facts", (minutes, minimum, words) => {
    const line = `JFK: ${connectionWords(minutes, minimum)}`;

    expect(line).toBe(`JFK: ${words}`);
    expect(isAboutConnection(line, "JFK", minutes)).toBe(true);
    expect(isAboutConnection(line, "JFK", (minutes ?? 0) + 1)).toBe(false);
    expect(isAboutConnection(line, "FRA", minutes)).toBe(false);
    expect(minimumStatedIn(line)).toBe(minutes !== null && minutes < 0 ? null : minimum);
  });

  test.each([
    ["JFK 40 of 75 min DI", 40, 75],
    ["JFK 145 of 240 min II", 145, 240],
    ["JFK: -145 of 75 min", -145, 75],
  ])("are understood as earlier versions and the list of all connections spell them: %s", (line, minutes, minimum) => {
    expect(isAboutConnection(line, "JFK", minutes)).toBe(true);
    expect(minimumStatedIn(line)).toBe(minimum);
  });
});
