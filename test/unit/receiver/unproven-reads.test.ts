import { describe, expect, test } from "vitest";
import { createUnprovenReads, type UnprovenRead } from "../../../src/receiver/unproven-reads.ts";

const clock = { now: () => new Date("2026-11-21T09:00:00Z") };

function begin(reads: ReturnType<typeof createUnprovenReads>, network: string): UnprovenRead {
  const read = reads.begin(network);
  if (read === null) throw new Error(`${network} was refused`);
  return read;
}

describe("reads of bodies whose signature is not checked yet", () => {
  test("of one network take at most 8 places, and the newest displaces the oldest", () => {
    const reads = createUnprovenReads(clock);
    const other = begin(reads, "other");
    const slow = Array.from({ length: 8 }, () => begin(reads, "slow"));

    const newest = begin(reads, "slow");

    expect(slow.map(({ displaced }) => displaced.aborted)).toEqual([true, ...Array.from({ length: 7 }, () => false)]);
    expect(other.displaced.aborted).toBe(false);
    expect(newest.displaced.aborted).toBe(false);
  });

  test("of many networks take at most 64 places", () => {
    const reads = createUnprovenReads(clock);
    const slow = Array.from({ length: 64 }, (_, index) => begin(reads, `network ${index}`));
    expect(slow.some(({ displaced }) => displaced.aborted)).toBe(false);

    begin(reads, "newcomer");

    expect(slow.filter(({ displaced }) => displaced.aborted)).toEqual([slow[0]]);
  });

  test("of a network that has signed rightly are displaced by no other network, and may be slow", () => {
    const reads = createUnprovenReads(clock);
    const first = begin(reads, "gateway");
    expect(first.bytesPerSecondMin).toBe(16 * 1024);
    first.end(true);
    const known = begin(reads, "gateway");
    expect(known.bytesPerSecondMin).toBe(0);

    for (let index = 0; index < 200; index += 1) begin(reads, `network ${index}`);

    expect(known.displaced.aborted).toBe(false);
  });

  test("of a network are refused after 60 wrong signatures in a minute, unless it has signed rightly", () => {
    const reads = createUnprovenReads(clock);
    begin(reads, "gateway").end(true);
    for (let index = 0; index < 60; index += 1) {
      begin(reads, "unknown").end(false);
      begin(reads, "gateway").end(false);
    }

    expect(reads.begin("unknown")).toBeNull();
    expect(reads.begin("gateway")).not.toBeNull();
    expect(reads.begin("other")).not.toBeNull();
  });
});
