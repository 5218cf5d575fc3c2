import { flightPairs, groundWaysOf, isGap } from "./flight-pairs.ts";
import { flightOnDate, type Itinerary, type ItinerarySegment, inOrderOf, isSameLeg, sameFlight } from "./itinerary.ts";
import { pairJourneys } from "./pair-journeys.ts";

/** Flights of an earlier itinerary and their replacements. Either side may be empty: added, or removed. */
export interface Counterpart {
  readonly before: readonly ItinerarySegment[];
  readonly after: readonly ItinerarySegment[];
}

export interface JourneyPair {
  readonly before: readonly ItinerarySegment[];
  readonly after: readonly ItinerarySegment[];
  readonly counterparts: readonly Counterpart[];
  /** Whether the view still lists the journey, even as withdrawn. */
  readonly listed: boolean;
}

/**
 * Matches each flight of an earlier itinerary with its replacement. The view's current flights connect both, because
 * only their keys are those of the proposed flights.
 */
export function alignItineraries(before: Itinerary, current: Itinerary, proposed: Itinerary): readonly JourneyPair[] {
  const proposedByKey = groupByKey(proposed.segments);
  const becomes = (segments: readonly ItinerarySegment[]) =>
    [...new Set(segments.map((segment) => segment.segmentKey))].flatMap((key) => proposedByKey.get(key) ?? []);

  return pairJourneys(before, current).map(({ booked, listed }) => {
    // Keys follow the listed order, but exchanged flights are flown in the proposed one.
    const after = inOrderOf(proposed, becomes(listed));
    const byKey = alignFlights(booked, listed).map((pair) => ({ before: pair.before, after: becomes(pair.after) }));
    const counterparts = isSameRoute(booked, after) ? oneByOne(booked, after) : joinReplaced(byKey);
    return { before: booked, after, counterparts, listed: listed.length > 0 };
  });
}

/** Whether flights use the same airports one by one. They are counterparts then, whatever their keys. */
function isSameRoute(before: readonly ItinerarySegment[], after: readonly ItinerarySegment[]): boolean {
  return before.length === after.length && before.every((flight, i) => isSameLeg(flight, after[i]!));
}

function oneByOne(before: readonly ItinerarySegment[], after: readonly ItinerarySegment[]): readonly Counterpart[] {
  return before.map((flight, i) => ({ before: [flight], after: [after[i]!] }));
}

/**
 * Joins flights that became one: the new values have one key and the other keys are withdrawn. A withdrawn flight joins
 * neighbours that no longer fly their own way if all that replaces them is a way between the same airports. One that
 * only leaves a gap was cancelled, and its neighbours are what they are.
 */
function joinReplaced(counterparts: readonly Counterpart[]): readonly Counterpart[] {
  const joined: Counterpart[] = [];
  for (let i = 0; i < counterparts.length; i += 1) {
    const length = lengthOfReplaced(counterparts, i);
    joined.push(joinedCounterpart(counterparts.slice(i, i + length)));
    i += length - 1;
  }
  return joined;
}

function lengthOfReplaced(counterparts: readonly Counterpart[], start: number): number {
  for (let length = 2; length <= longestReplaced && start + length <= counterparts.length; length += 1) {
    const run = counterparts.slice(start, start + length);
    if (run.some((pair) => pair.before.length === 0 || isSameWay(pair.before, pair.after))) return 1;
    const isCut = run.some((pair) => pair.after.length === 0);
    if (!isCut) continue;
    const { before, after } = joinedCounterpart(run);
    if (isSameWay(before, after) && !hasGap(before, after)) return length;
  }
  return 1;
}

function hasGap(before: readonly ItinerarySegment[], after: readonly ItinerarySegment[]): boolean {
  const booked = groundWaysOf(before);
  return flightPairs(after).some((pair) => isGap(pair, booked));
}

/** Journeys have few flights; this keeps a hostile body from costing seconds. */
const longestReplaced = 6;

function joinedCounterpart(run: readonly Counterpart[]): Counterpart {
  const [only, ...others] = run;
  if (only !== undefined && others.length === 0) return only;
  return { before: run.flatMap((pair) => pair.before), after: run.flatMap((pair) => pair.after) };
}

function isSameWay(before: readonly ItinerarySegment[], after: readonly ItinerarySegment[]): boolean {
  return (
    after.length > 0 &&
    before[0]?.departure.airport === after[0]!.departure.airport &&
    before.at(-1)?.arrival.airport === after.at(-1)!.arrival.airport
  );
}

function groupByKey(segments: readonly ItinerarySegment[]): ReadonlyMap<string, readonly ItinerarySegment[]> {
  const groups = new Map<string, ItinerarySegment[]>();
  for (const segment of segments) {
    const group = groups.get(segment.segmentKey);
    if (group === undefined) groups.set(segment.segmentKey, [segment]);
    else group.push(segment);
  }
  return groups;
}

/**
 * Pairs flights between the same airports, in order, and whatever remains between them. Lists of equal length with the
 * same keys or airports position by position need no search.
 */
function alignFlights(before: readonly ItinerarySegment[], after: readonly ItinerarySegment[]): readonly Counterpart[] {
  const isOneToOne = before.length === after.length && before.every((flight, i) => isLikely(flight, after[i]!));
  if (isOneToOne) return oneByOne(before, after);
  if (before.length * after.length > largestSearch) return [{ before, after }];
  const counterparts: Counterpart[] = [];
  let fromBefore = 0;
  let fromAfter = 0;
  for (const [i, j] of commonFlights(before, after)) {
    counterparts.push(...withoutWithdrawn(before.slice(fromBefore, i), after.slice(fromAfter, j)));
    counterparts.push({ before: [before[i]!], after: [after[j]!] });
    fromBefore = i + 1;
    fromAfter = j + 1;
  }
  counterparts.push(...withoutWithdrawn(before.slice(fromBefore), after.slice(fromAfter)));
  return counterparts;
}

/** A hundred flights on both sides, far beyond real journeys; keeps a hostile body from costing seconds. */
const largestSearch = 10_000;

function isLikely(a: ItinerarySegment, b: ItinerarySegment): boolean {
  return a.segmentKey === b.segmentKey || isSameLeg(a, b);
}

/**
 * Separates the flights with nothing in their place from those that others replace: if the new flights go the way of
 * some of the booked ones, the rest is withdrawn.
 */
function withoutWithdrawn(
  before: readonly ItinerarySegment[],
  after: readonly ItinerarySegment[],
): readonly Counterpart[] {
  if (before.length + after.length === 0) return [];
  if (after.length === 0) return before.map((flight) => ({ before: [flight], after }));
  const start = before.findIndex(({ departure }) => departure.airport === after[0]!.departure.airport);
  const end = before.findLastIndex(({ arrival }) => arrival.airport === after.at(-1)!.arrival.airport) + 1;
  if (start < 0 || end <= start) return [{ before, after }];
  return [
    ...withoutWithdrawn(before.slice(0, start), []),
    { before: before.slice(start, end), after },
    ...withoutWithdrawn(before.slice(end), []),
  ];
}

/** Finds the best pairs in order: as many equal flights as possible, then equal numbers and dates, then airports. */
function commonFlights(
  before: readonly ItinerarySegment[],
  after: readonly ItinerarySegment[],
): readonly (readonly [number, number])[] {
  const likeness = before.map((booked) => after.map((listed) => likenessOf(booked, listed)));
  const best = before.map(() => after.map(() => 0));
  const at = (i: number, j: number) => best[i]?.[j] ?? 0;
  const together = (i: number, j: number) => (likeness[i]![j]! > 0 ? likeness[i]![j]! + at(i + 1, j + 1) : 0);
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      best[i]![j] = Math.max(together(i, j), at(i + 1, j), at(i, j + 1));
    }
  }
  const positions: [number, number][] = [];
  let i = 0;
  let j = 0;
  while (i < before.length && j < after.length) {
    if (likeness[i]![j]! > 0 && together(i, j) === at(i, j)) positions.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return positions;
}

/** Each step outweighs all the pairs of the step below that a search can have. */
function likenessOf(a: ItinerarySegment, b: ItinerarySegment): number {
  if (!isSameLeg(a, b)) return 0;
  if (sameFlight(a, b)) return largestSearch ** 2;
  const name = flightOnDate(a);
  return name !== null && name === flightOnDate(b) ? largestSearch : 1;
}
