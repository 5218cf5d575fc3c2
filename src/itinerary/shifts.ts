import { type Fact, known, unknown } from "../kernel/fact.ts";
import { instantsOf } from "../travel/local-time.ts";
import type { Counterpart, JourneyPair } from "./align.ts";
import { difference, largestOf, type Range } from "./fact-logic.ts";
import type { ItinerarySegment, LocalPoint } from "./itinerary.ts";

/** Which end of flights is compared. */
export type End = "departure" | "arrival";

/** The largest of shifts in either direction, in minutes, never negative. */
export function movesOf(shifts: readonly Fact<Range>[]): { earlier: Fact<number>; later: Fact<number> } {
  return {
    earlier: largestOf(
      shifts.map((shift) => (shift.known ? known(negated(shift.value)) : shift)),
      0,
    ),
    later: largestOf(shifts, 0),
  };
}

/**
 * How far one end of each flight that was there before moves, in minutes; positive is later. Of several flights the first
 * departure and the last arrival count. A flight that is withdrawn has no new time: unknown, `withdrawn`.
 */
export function shiftsOf(counterparts: readonly Counterpart[], end: End): readonly Fact<Range>[] {
  return counterparts
    .filter((pair) => pair.before.length > 0)
    .map((pair) => shiftOf(endOf(pair.before, end), endOf(pair.after, end), end));
}

/** The same between the printed local times: what a traveller reads. Unknown, `another-airport`, when it is printed elsewhere. */
export function wallClockShiftsOf(counterparts: readonly Counterpart[], end: End): readonly Fact<Range>[] {
  return counterparts
    .filter((pair) => pair.before.length > 0)
    .map((pair) => wallClockShift(endOf(pair.before, end), endOf(pair.after, end), end));
}

/** How many local dates one end of each flight moves; positive is later. */
export function dayShiftsOf(counterparts: readonly Counterpart[], end: End): readonly Fact<Range>[] {
  return counterparts
    .filter((pair) => pair.before.length > 0)
    .map((pair) => {
      const before = endOf(pair.before, end);
      const after = endOf(pair.after, end);
      if (before === null || after === null) return unknown("withdrawn");
      const days = (printedAt(after.date, "00:00") - printedAt(before.date, "00:00")) / 86_400_000;
      return Number.isNaN(days) ? unknown(`unknown-${end}`) : known({ low: days, high: days });
    });
}

/**
 * Journeys as counterparts of their own, so that only origin and destination count. Without one of its flights a journey
 * no longer leads where it did: it counts as withdrawn.
 */
export function wholeJourneys(pairs: readonly JourneyPair[]): readonly Counterpart[] {
  return pairs.map(({ before, after, counterparts }) => {
    const isCutShort = counterparts.some((pair) => pair.before.length > 0 && pair.after.length === 0);
    return { before, after: isCutShort ? [] : after };
  });
}

/** Minutes from the first departure to the last arrival. */
export function elapsedOf(flights: readonly ItinerarySegment[]): Fact<Range> {
  const from = endOf(flights, "departure");
  const to = endOf(flights, "arrival");
  if (from === null || to === null) return unknown("no-flights");
  const left = instantRange(from, "departure");
  const arrived = instantRange(to, "arrival");
  if (!left.known) return left;
  if (!arrived.known) return arrived;
  const elapsed = difference(arrived.value, left.value);
  return known({ low: elapsed.low / 60_000, high: elapsed.high / 60_000 });
}

/** The instants that a point may mean, as a range. Reasons name the end: `unknown-arrival`. */
export function instantRange(point: LocalPoint, end: End): Fact<Range> {
  const instants = instantsOf(point);
  if (!instants.known) return unknown(reasonAt(instants.reason, end));
  const { quality, candidates } = instants.value;
  if (quality === "nonexistent") return unknown("nonexistent-time");
  return known({ low: candidates[0]!, high: candidates.at(-1)! });
}

function shiftOf(before: LocalPoint | null, after: LocalPoint | null, end: End): Fact<Range> {
  if (before === null || after === null) return unknown("withdrawn");
  // An untouched time has not moved, whatever it means.
  if (before.time !== null && before.date !== null && isSamePrint(before, after)) return known({ low: 0, high: 0 });
  const from = instantRange(before, end);
  const to = instantRange(after, end);
  if (!from.known) return from;
  if (!to.known) return to;
  const shift = difference(to.value, from.value);
  return known({ low: shift.low / 60_000, high: shift.high / 60_000 });
}

function wallClockShift(before: LocalPoint | null, after: LocalPoint | null, end: End): Fact<Range> {
  if (before === null || after === null) return unknown("withdrawn");
  if (before.airport === null || before.airport !== after.airport) return unknown("another-airport");
  const minutes = (printedAt(after.date, after.time) - printedAt(before.date, before.time)) / 60_000;
  return Number.isNaN(minutes) ? unknown(`unknown-${end}`) : known({ low: minutes, high: minutes });
}

/** A printed local time read as if it were UTC, in milliseconds; NaN when a part of it is missing. */
export function printedAt(date: string | null, time: string | null): number {
  return date === null || time === null ? Number.NaN : Date.parse(`${date}T${time.slice(0, 5)}:00Z`);
}

function isSamePrint(a: LocalPoint, b: LocalPoint): boolean {
  return a.airport === b.airport && a.date === b.date && a.time === b.time;
}

function negated({ low, high }: Range): Range {
  return { low: -high, high: -low };
}

/** Where flights in a row start, or end; null when there are none. */
export function endOf(flights: readonly ItinerarySegment[], end: End): LocalPoint | null {
  return (end === "departure" ? flights[0]?.departure : flights.at(-1)?.arrival) ?? null;
}

/** A reason with the end that it is about: `unknown-arrival`. */
export function reasonAt(reason: string, end: End): string {
  return reason === "unknown-time" ? `unknown-${end}` : reason;
}
