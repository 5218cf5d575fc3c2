import { describe, expect, test } from "vitest";
import { describeContradiction, readingsOf } from "../../../src/itinerary/contradicted-time.ts";

describe("a time that is stated with an offset that its airport does not have", () => {
  test.each([
    ["11:35", "FRA", 0, [60], "11:35 UTC, and FRA is at +1", "11:35 or 12:35"],
    ["09:10", "DEL", 0, [330], "09:10 UTC, and DEL is at +5:30", "09:10 or 14:40"],
    ["23:40", "FRA", 0, [60], "23:40 UTC, and FRA is at +1", "23:40 or 00:40 a day later"],
    ["00:20", "JFK", 60, [-300], "00:20 at +1, and JFK is at -5", "00:20 or 18:20 a day earlier"],
    ["09:10", "YYT", -240, [-210], "09:10 at -4, and YYT is at -3:30", "09:10 or 09:40"],
    ["02:30", "FRA", 0, [120, 60], "02:30 UTC, and FRA is at +2 or +1", "02:30 or 04:30 or 03:30"],
    ["09:10", "LIS", 60, [0], "09:10 at +1, and LIS is at +0", "09:10 or 08:10"],
  ])("%s at %s is described with both offsets, and may be either of two", (time, airport, stated, own, words, both) => {
    expect(describeContradiction({ airport, time }, stated, own)).toBe(words);
    expect(readingsOf(words)).toBe(both);
  });

  test("of other words nothing can be read", () => {
    expect(readingsOf("")).toBeNull();
    expect(readingsOf("null UTC, and FRA is at +1")).toBeNull();
  });
});
