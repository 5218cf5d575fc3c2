import { type Fact, known, unknown } from "../kernel/fact.ts";
import type { Counterpart, JourneyPair } from "./align.ts";
import { anyOf, difference, differs, largestOf, type Range } from "./fact-logic.ts";
import type { ItinerarySegment, LocalPoint } from "./itinerary.ts";
import { instantsOf } from "./local-time.ts";

/** Which end of flights is compared. */
export type End = "departure" | "arrival";

/**
 * The largest moves of one end over all flights that were there before, in minutes, never negative. Of several flights
 * the first departure and the last arrival count. A flight that is withdrawn has no new time: unknown, `withdrawn`.
 */
export function movesOf(
  counterparts: readonly Counterpart[],
  end: End,
): { earlier: Fact<number>; later: Fact<number> } {
  const shifts = counterparts
    .filter((pair) => pair.before.length > 0)
    .map((pair) => shiftOf(endOf(pair.before, end), endOf(pair.after, end), end));
  return {
    earlier: largestOf(
      shifts.map((shift) => (shift.known ? known(negated(shift.value)) : shift)),
      0,
    ),
    later: largestOf(shifts, 0),
  };
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

/** Whether a first departure or a last arrival falls on another local date. */
export function isDateChanged(counterparts: readonly Counterpart[]): Fact<boolean> {
  return anyOf(
    counterparts
      .filter((pair) => pair.before.length > 0)
      .flatMap((pair) =>
        (["departure", "arrival"] as const).map((end) => {
          const before = endOf(pair.before, end);
          const after = endOf(pair.after, end);
          if (before === null || after === null) return unknown("withdrawn");
          return differs(before.date, after.date, `unknown-${end}`);
        }),
      ),
  );
}

/** Whether a printed time of one of the flights has two meanings, or none. */
export function isTimeAmbiguous(flights: readonly ItinerarySegment[]): Fact<boolean> {
  return anyOf(
    flights.flatMap((flight) =>
      (["departure", "arrival"] as const).map((end) => {
        const instants = instantsOf(flight[end]);
        return instants.known ? known(instants.value.quality !== "exact") : unknown(reasonAt(instants.reason, end));
      }),
    ),
  );
}

/**
 * Minutes from now to the first departure that is not certainly flown: of a flight and its counterpart the earlier
 * departure counts, and both must have passed to call it flown. When all have, the last one, negative.
 */
export function minutesToDeparture(counterparts: readonly Counterpart[], now: Date): Fact<number> {
  const departures: Range[] = [];
  for (const { before, after } of counterparts) {
    const ends = [endOf(before, "departure"), endOf(after, "departure")].filter((point) => point !== null);
    const ranges = ends.map((point) => instantRange(point, "departure"));
    const missing = ranges.find((range) => !range.known);
    if (missing !== undefined) return missing;
    const instants = ranges.flatMap((range) => (range.known ? [range.value.low, range.value.high] : []));
    if (instants.length > 0) departures.push({ low: Math.min(...instants), high: Math.max(...instants) });
  }
  if (departures.length === 0) return unknown("no-flights");
  const ahead = departures.filter((departure) => departure.high > now.getTime()).map((departure) => departure.low);
  const first = ahead.length > 0 ? smallest(ahead) : -smallest(departures.map((departure) => -departure.low));
  return known(Math.floor((first - now.getTime()) / 60_000));
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

function isSamePrint(a: LocalPoint, b: LocalPoint): boolean {
  return a.airport === b.airport && a.date === b.date && a.time === b.time;
}

function negated({ low, high }: Range): Range {
  return { low: -high, high: -low };
}

function endOf(flights: readonly ItinerarySegment[], end: End): LocalPoint | null {
  return (end === "departure" ? flights[0]?.departure : flights.at(-1)?.arrival) ?? null;
}

function reasonAt(reason: string, end: End): string {
  return reason === "unknown-time" ? `unknown-${end}` : reason;
}

function smallest(numbers: readonly number[]): number {
  return numbers.reduce((least, number) => Math.min(least, number), Number.POSITIVE_INFINITY);
}
