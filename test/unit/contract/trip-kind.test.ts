import { describe, expect, test } from "vitest";
import { canHaveBrandedOffers, tripKindOf } from "../../../src/contract/trip-kind.ts";

describe("a trip", () => {
  test.each([
    ["LIS-JFK", "one-way", true],
    ["LIS-JFK JFK-LIS", "round-trip", false],
    ["LIS-JFK EWR-LIS", "multi-city", true],
    ["LIS-JFK BOS-FRA", "multi-city", true],
    ["LIS-FRA FRA-JFK JFK-LIS", "multi-city", true],
    ["", null, false],
  ])("%s is %s", (route, kind, branded) => {
    const parts = (route === "" ? [] : route.split(" ")).map((part) => {
      const [departureCode = "", arrivalCode = ""] = part.split("-");
      return { departureCode, arrivalCode };
    });

    expect(tripKindOf(parts)).toBe(kind);
    expect(canHaveBrandedOffers(parts)).toBe(branded);
  });
});
