import { describe, expect, test } from "vitest";
import { unpackZones } from "../../../src/travel/packed-zones.ts";

function unpack(...zones: readonly string[]) {
  return unpackZones({ version: "2027a", zones, links: [] }, "2027-01-15", "a test");
}

describe("the table of moment-timezone", () => {
  test("is unpacked with its offsets and changes", () => {
    const { zones } = unpack("Asia/Kathmandu|LMT +0530 +0545|-5F.g -5u -5J|012|-21JhF.g 2EGMb.g", "Etc/UTC|UTC|0|0|");

    expect(zones).toEqual({
      "Asia/Kathmandu": { start: 330, changes: [["1985-12-31T18:30", 345]] },
      "Etc/UTC": { start: 0, changes: [] },
    });
  });

  test("is refused if a period has an offset that its zone does not list", () => {
    expect(() => unpack("Asia/Tokyo|JST|-90|7|")).toThrow(
      expect.objectContaining({
        code: "zones.invalid",
        message: "Asia/Tokyo: period 1 has offset 7, and only 1 are listed.",
      }),
    );
  });

  test("is refused if a change lies beyond all dates", () => {
    expect(() => unpack("Europe/Lisbon|WET|0|00|zzzzzzz")).toThrow(
      expect.objectContaining({
        code: "zones.invalid",
        message: "Europe/Lisbon: change 1 lies beyond the year 9999.",
      }),
    );
  });
});
