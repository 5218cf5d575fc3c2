import { describe, expect, test } from "vitest";
import { describeSoak, describeStorm } from "../../../bench/long/long-report.ts";
import { growthOf, type SoakSample } from "../../../bench/long/soak.ts";
import { findFailures, type StormResult } from "../../../bench/long/storm.ts";

const sample = (change: Partial<SoakSample>): SoakSample => ({
  p50Ms: 5,
  p99Ms: 20,
  residentMiB: { receiver: 150, worker: 200 },
  behind: 0,
  ...change,
});

describe("a soak", () => {
  test("compares the medians of its last third with those of its first third, so that one bad minute is no growth", () => {
    const samples = [4, 5, 90, 5, 5, 5, 5, 10, 90].map((p99Ms, minute) =>
      sample({ p99Ms, residentMiB: { receiver: 150, worker: 200 + 50 * minute } }),
    );

    expect(growthOf(samples)).toEqual({ "p50 ms": 1, "p99 ms": 2, "receiver, MiB": 1, "worker, MiB": 550 / 250 });
  });

  test("says of each thing that was sampled whether it is flat", () => {
    const samples = [sample({}), sample({}), sample({ p50Ms: 7 })];
    const setting = { perSecond: 10, minutes: 3, connections: 8, firstOrder: 1 };

    const left = { refused: { 503: 2 }, leftOver: { checking: 1, "no case": 2 } };
    const text = describeSoak({ ...setting, samples, ...left, growth: growthOf(samples) });

    expect(text).toMatch(/p50 ms +1\.40 +grows/);
    expect(text).toMatch(/worker, MiB +1\.00 +flat/);
    expect(text).toContain("half a minute later 1 checking, 2 no case. Not acknowledged: 2 with 503.");
  });
});

describe("a storm", () => {
  const weathered: StormResult = {
    notifications: 100,
    seconds: 1,
    connections: 8,
    firstOrder: 1,
    acknowledged: 100,
    refused: {},
    stored: 100,
    cases: 100,
    pushedSeconds: 1,
    respondedSeconds: 1,
    p50Ms: 5,
    p99Ms: 20,
    openedSeconds: 2,
  };

  test("that lost nothing has no failures", () => {
    expect(findFailures(weathered)).toEqual([]);
  });

  test.each([
    {
      change: { acknowledged: 99, refused: { 503: 1 }, stored: 99, cases: 99 },
      failure: "1 notifications got 503.",
    },
    {
      change: { acknowledged: 99, refused: { 0: 1 }, stored: 99, cases: 99 },
      failure: "1 notifications got 0.",
    },
    { change: { stored: 98 }, failure: "100 notifications were acknowledged, and 98 stored." },
    {
      change: { cases: 97, openedSeconds: null },
      failure: "100 notifications were acknowledged, and 97 cases opened.",
    },
  ])("has failed, and says so: $failure", ({ change, failure }) => {
    const result = { ...weathered, ...change };

    expect(findFailures(result)).toEqual([failure]);
    expect(describeStorm(result)).toContain(failure);
  });
});
