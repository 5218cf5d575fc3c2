import { describe, expect, test } from "vitest";
import { createLanesByLatency } from "../../../src/sender/lanes-by-latency.ts";

function lanesAfter(...durations: readonly (number | "failed")[]): number {
  const lanes = createLanesByLatency(4);
  for (const duration of durations) {
    if (duration === "failed") lanes.failed("agency");
    else lanes.acknowledged("agency", duration);
  }
  return lanes.raised()[0]?.lanes ?? 4;
}

const quick = Array.from({ length: 40 }, () => 50);

describe("the lanes of a recipient", () => {
  test("grow by one with each quick response", () => {
    expect(lanesAfter(50, 1)).toBe(6);
  });

  test("grow to 32 and no further", () => {
    expect(lanesAfter(...quick)).toBe(32);
  });

  test("stay as they are after a response that is neither quick nor slow", () => {
    expect(lanesAfter(50, 51, 100)).toBe(5);
  });

  test("are the usual ones again after a slow response", () => {
    expect(lanesAfter(...quick, 101)).toBe(4);
  });

  test("are the usual ones again after a failure", () => {
    expect(lanesAfter(...quick, "failed")).toBe(4);
  });

  test("do not change those of others", () => {
    const lanes = createLanesByLatency(4);
    lanes.acknowledged("quick", 1);
    lanes.acknowledged("slow", 200);
    lanes.failed("slow");

    expect(lanes.raised()).toEqual([{ recipientId: "quick", lanes: 5 }]);
  });

  test("are the usual ones again for the recipient that responded longest ago, when 64 others have", () => {
    const lanes = createLanesByLatency(4);
    for (let n = 0; n < 65; n += 1) lanes.acknowledged(`recipient ${n}`, 1);
    lanes.acknowledged("recipient 1", 1);

    const names = lanes.raised().map(({ recipientId }) => recipientId);
    expect(names).toHaveLength(64);
    expect(names).not.toContain("recipient 0");
    expect(names.at(-1)).toBe("recipient 1");
  });

  test("never shrink below the usual ones where these are many", () => {
    const lanes = createLanesByLatency(40);
    lanes.acknowledged("quick", 1);

    expect(lanes.raised()).toEqual([]);
  });
});
