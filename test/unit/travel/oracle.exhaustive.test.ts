import { describe, expect, test } from "vitest";
import { compareFlights } from "../../../src/itinerary/difference.ts";
import type { ItinerarySegment } from "../../../src/itinerary/itinerary.ts";
import { airportCodes, airportOf } from "../../../src/travel/airports.ts";
import { instantsOf } from "../../../src/travel/local-time.ts";
import { type LocalInstants, offsetMs } from "../../../src/travel/zones.ts";
import { readCompiledOffsets } from "../../fixtures/tz/compiled-offsets.ts";
import { sampleSize } from "../../harness/sample-size.ts";

/** `ORACLE_SEED=123 npm run test:proof -- oracle` looks elsewhere. */
const seed = Number(process.env["ORACLE_SEED"] ?? 20_261_121);
const random = seededRandom(seed);

const first = Date.UTC(2025, 0, 1);
const last = Date.UTC(2036, 11, 31, 23, 59);
const minuteMs = 60_000;

interface Sample {
  readonly airport: string;
  /** A local date and time as if it were UTC. */
  readonly printed: number;
}

const compiled = readCompiledOffsets();
/** In milliseconds: instants, each with the offset from there on. */
const changesOfZone = new Map(
  compiled.courses.flatMap(({ zones, changes }) => {
    const inMs = changes.map(([at, offset]) => [at * 1_000, offset * 1_000] as const);
    return zones.map((zone) => [zone, inMs] as const);
  }),
);

/**
 * Every airport of the table several times, two in a row each time, so that there is a shift between them. Of each four times one lies within four hours of a change of the clocks of
 * its zone, where there is one: times drawn at random alone would hit too few that occur twice or never.
 */
const count = sampleSize({ quick: 24_000, proof: 100_000 });
const samples = drawSamples(count);
const expectedInstants = samples.map(instantsByCompiler);

describe(`the time zones agree with the tz database ${compiled.release} as its own compiler reads it`, () => {
  test("on every change of every zone of the airports, and between the changes", () => {
    const disagreements: unknown[] = [];
    let compared = 0;

    for (const [zone, changes] of changesOfZone) {
      for (const [i, [at, offset]] of changes.entries()) {
        const end = changes[i + 1]?.[0] ?? Date.UTC(compiled.to, 0, 1);
        for (const instant of [at, (at + end) / 2, end - 1]) {
          compared += 1;
          const found = offsetMs(zone, instant);
          if (found !== offset) disagreements.push({ zone, instant: new Date(instant), found, offset });
        }
      }
    }

    expect(disagreements.slice(0, 5)).toEqual([]);
    expect(new Set(airportCodes().map((code) => airportOf(code)!.zone))).toEqual(new Set(changesOfZone.keys()));
    expect(compared).toBeGreaterThan(60_000);
  });

  test(`on the instants of ${count} local times at all airports (seed ${seed})`, () => {
    const seen = { exact: 0, ambiguous: 0, nonexistent: 0 };
    const disagreements: unknown[] = [];

    for (const [i, sample] of samples.entries()) {
      const expected = expectedInstants[i]!;
      const found = instantsOf(pointOf(sample));
      seen[expected.quality] += 1;
      if (!found.known || !isSame(found.value, expected)) {
        disagreements.push({ seed, ...pointOf(sample), found, expected });
      }
    }

    expect(disagreements.slice(0, 5)).toEqual([]);
    expect(new Set(samples.map(({ airport }) => airport)).size).toBe(airportCodes().length);
    // A sample without them would prove nothing about them.
    expect(seen.ambiguous).toBeGreaterThan(count / 200);
    expect(seen.nonexistent).toBeGreaterThan(count / 200);
  });

  test("on the shifts between them", () => {
    const disagreements: unknown[] = [];

    for (let i = 0; i < samples.length; i += 2) {
      const [before, after] = [samples[i]!, samples[i + 1]!];
      const { minutes } = compareFlights({ before: [aFlight(before)], after: [aFlight(after)] }).departureShift;
      const expected = expectedShift(i, i + 1);
      if ((minutes.known ? minutes.value : null) !== expected) {
        disagreements.push({ seed, from: pointOf(before), to: pointOf(after), minutes, expected });
      }
    }

    expect(disagreements.slice(0, 5)).toEqual([]);
  });
});

function drawSamples(count: number): readonly Sample[] {
  const codes = airportCodes();
  const changes = new Map<string, readonly number[]>();
  return Array.from({ length: count }, (_, i) => {
    const airport = codes[Math.floor(i / 2) % codes.length]!;
    const zone = airportOf(airport)!.zone;
    if (!changes.has(zone)) changes.set(zone, clockChanges(zone));
    const near = changes.get(zone)!;
    const printed =
      near.length > 0 && random() < 0.25
        ? near[Math.floor(random() * near.length)]! + Math.floor((random() * 8 - 4) * 60) * minuteMs
        : first + Math.floor((random() * (last - first)) / minuteMs) * minuteMs;
    return { airport, printed };
  });
}

/** Local times at which the clocks of a zone change, by the offset before the change. */
function clockChanges(zone: string): readonly number[] {
  const changes = changesOfZone.get(zone)!;
  return changes.flatMap(([at], i) => (at < first || at > last ? [] : [at + changes[i - 1]![1]]));
}

/** All instants at which the clocks show a time; else the two that it would be by the offsets around the gap. */
function instantsByCompiler({ airport, printed }: Sample): LocalInstants {
  const changes = changesOfZone.get(airportOf(airport)!.zone)!;
  const periods = changes.map(([at, offset], i) => ({ at, offset, end: changes[i + 1]?.[0] ?? Infinity }));
  const candidates = periods
    .filter(({ at, offset, end }) => printed - offset >= at && printed - offset < end)
    .map(({ offset }) => printed - offset);
  if (candidates.length > 0) return { quality: candidates.length === 1 ? "exact" : "ambiguous", candidates };
  const after = periods.findIndex(({ at, offset }) => printed - offset < at);
  const around = [periods[after - 1]!.offset, periods[after]!.offset].map((offset) => printed - offset);
  return { quality: "nonexistent", candidates: around.sort((a, b) => a - b) };
}

/** Null where one of the two times does not mean one instant. An untouched time has not moved, whatever it means. */
function expectedShift(before: number, after: number): number | null {
  if (samples[before]!.printed === samples[after]!.printed) return 0;
  const [from, to] = [expectedInstants[before]!, expectedInstants[after]!];
  if (from.quality !== "exact" || to.quality !== "exact") return null;
  return (to.candidates[0]! - from.candidates[0]!) / minuteMs;
}

function isSame(a: LocalInstants, b: LocalInstants): boolean {
  return a.quality === b.quality && a.candidates.join() === b.candidates.join();
}

function pointOf({ airport, printed }: Sample) {
  const text = new Date(printed).toISOString();
  return { airport, date: text.slice(0, 10), time: text.slice(11, 16) };
}

function aFlight(sample: Sample): ItinerarySegment {
  return {
    segmentKey: "Segment1",
    departure: { ...pointOf(sample), terminal: null },
    arrival: { airport: null, date: null, time: null, terminal: null },
    marketingCarrier: "XX",
    marketingFlightNumber: "1",
    operatingCarrier: "XX",
    aircraftCode: null,
    stops: null,
    marriageGroup: null,
    brandId: null,
    cabinType: null,
    rbd: null,
  };
}

/** Mulberry32: numbers from 0 up to 1 that a seed repeats. */
function seededRandom(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
