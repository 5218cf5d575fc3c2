import { type Fact, known, unknown } from "../kernel/fact.ts";
import { instantsOf } from "../travel/local-time.ts";
import type { Counterpart, JourneyPair } from "./align.ts";
import { difference, largestOf, type Range } from "./fact-logic.ts";
import type { ItinerarySegment, LocalPoint } from "./itinerary.ts";

export type End = "departure" | "arrival";

/** The largest moves earlier and later, in minutes; 0 if nothing moves that way. */
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
 * Returns how far one end of each earlier flight moves, in minutes; positive is later. Of several flights the first
 * departure and the last arrival count. A withdrawn flight is unknown: `withdrawn`.
 */
export function shiftsOf(counterparts: readonly Counterpart[], end: End): readonly Fact<Range>[] {
  return bookedOf(counterparts).map((pair) => shiftOf(endOf(pair.before, end), endOf(pair.after, end), end));
}

/**
 * Returns how far one end of each earlier flight moves on the clock of its airport, in minutes. `another-airport` if the two
 * ends are of different places.
 */
export function wallClockShiftsOf(counterparts: readonly Counterpart[], end: End): readonly Fact<Range>[] {
  return bookedOf(counterparts).map((pair) => wallClockShift(endOf(pair.before, end), endOf(pair.after, end), end));
}

/** Returns how many local dates one end of each flight moves; positive is later. */
export function dayShiftsOf(counterparts: readonly Counterpart[], end: End): readonly Fact<Range>[] {
  return bookedOf(counterparts).map((pair) => {
    const before = endOf(pair.before, end);
    const after = endOf(pair.after, end);
    if (before === null || after === null) return unknown("withdrawn");
    const days = (printedAt(after.date, "00:00") - printedAt(before.date, "00:00")) / 86_400_000;
    return Number.isNaN(days) ? unknown(`unknown-${end}`) : known({ low: days, high: days });
  });
}

function bookedOf(counterparts: readonly Counterpart[]): readonly Counterpart[] {
  return counterparts.filter(({ before }) => before.length > 0);
}

/** Returns whole journeys as counterparts. A journey without one of its flights counts as withdrawn. */
export function wholeJourneys(pairs: readonly JourneyPair[]): readonly Counterpart[] {
  return pairs.map(({ before, after, counterparts }) => {
    const isCutShort = counterparts.some((pair) => pair.before.length > 0 && pair.after.length === 0);
    return { before, after: isCutShort ? [] : after };
  });
}

/** Returns the minutes from the first departure to the last arrival. */
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

/** Returns the possible instants of a point as a range. Reasons name the end: `unknown-arrival`. */
export function instantRange(point: LocalPoint, end: End): Fact<Range> {
  const instants = instantsOf(point);
  if (!instants.known) return unknown(reasonAt(instants.reason, end));
  const { quality, candidates } = instants.value;
  if (quality === "nonexistent") return unknown("nonexistent-time");
  return known({ low: candidates[0]!, high: candidates.at(-1)! });
}

function shiftOf(before: LocalPoint | null, after: LocalPoint | null, end: End): Fact<Range> {
  if (before === null || after === null) return unknown("withdrawn");
  // An unchanged time has not moved, whatever it means.
  if (before.time !== null && before.date !== null && isSamePrint(before, after)) return known({ low: 0, high: 0 });
  const from = instantRange(before, end);
  const to = instantRange(after, end);
  if (!from.known) return from;
  if (!to.known) return to;
  const shift = difference(to.value, from.value);
  return known({ low: shift.low / 60_000, high: shift.high / 60_000 });
}

/** Between two printed local times. */
export function wallClockShift(before: LocalPoint | null, after: LocalPoint | null, end: End): Fact<Range> {
  if (before === null || after === null) return unknown("withdrawn");
  if (before.airport === null || before.airport !== after.airport) return unknown("another-airport");
  const minutes = (printedAt(after.date, after.time) - printedAt(before.date, before.time)) / 60_000;
  return Number.isNaN(minutes) ? unknown(`unknown-${end}`) : known({ low: minutes, high: minutes });
}

/** Reads a printed local time as UTC, in milliseconds; NaN if a part is missing. */
export function printedAt(date: string | null, time: string | null): number {
  return date === null || time === null ? Number.NaN : Date.parse(`${date}T${time.slice(0, 5)}:00Z`);
}

function isSamePrint(a: LocalPoint, b: LocalPoint): boolean {
  return a.airport === b.airport && a.date === b.date && a.time === b.time;
}

function negated({ low, high }: Range): Range {
  return { low: -high, high: -low };
}

/** Returns the first departure or the last arrival; null if there is no flight. */
export function endOf(flights: readonly ItinerarySegment[], end: End): LocalPoint | null {
  return (end === "departure" ? flights[0]?.departure : flights.at(-1)?.arrival) ?? null;
}

/** Names the end in a reason that does not say which one it is about. */
export function reasonAt(reason: string, end: End): string {
  return reason === "unknown-time" ? `unknown-${end}` : reason;
}
