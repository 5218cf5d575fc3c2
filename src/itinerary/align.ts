import type { Itinerary, ItinerarySegment, Journey } from "./itinerary.ts";

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

  return pairJourneys(before, current).map(([earlier, listed]) => {
    const old = segmentsOf(before, earlier);
    const bridge = segmentsOf(current, listed);
    const after = inProposedOrder(becomes(bridge), proposed);
    const byKey = alignFlights(old, bridge).map((pair) => ({ before: pair.before, after: becomes(pair.after) }));
    const counterparts = isSameRoute(old, after) ? oneByOne(old, after) : joinReplaced(byKey);
    return { before: old, after, counterparts, listed: listed !== null };
  });
}

/** Keys follow the listed order, but exchanged flights are flown in the proposed one. */
function inProposedOrder(flights: readonly ItinerarySegment[], proposed: Itinerary): readonly ItinerarySegment[] {
  if (flights.length < 2) return flights;
  const own = new Set(flights);
  return proposed.segments.filter((segment) => own.has(segment));
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
 * its neighbours if their replacement covers the same route.
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
    const { before, after } = joinedCounterpart(run);
    const isReplacement = run.some((pair) => pair.after.length === 0) && run.every((pair) => pair.before.length > 0);
    if (isReplacement && after.length > 0 && isSameWay(before, after)) return length;
  }
  return 1;
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
    before[0]!.departure.airport === after[0]!.departure.airport &&
    before.at(-1)!.arrival.airport === after.at(-1)!.arrival.airport
  );
}

function segmentsOf(itinerary: Itinerary, journey: Journey | null): readonly ItinerarySegment[] {
  return journey === null ? [] : journey.segments.map((position) => itinerary.segments[position]!);
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
 * Pairs journeys by origin and destination in order, then by position if equally many remain. If a route is listed
 * another number of times, journeys pair by departure date: a flown one is no longer listed.
 */
function pairJourneys(before: Itinerary, current: Itinerary): readonly (readonly [Journey | null, Journey | null])[] {
  const left = groupByRoute(current.journeys);
  const take = (route: string, isMatch: (other: Journey) => boolean): Journey | null => {
    const position = left.get(route)?.findIndex(isMatch) ?? -1;
    return position < 0 ? null : (left.get(route)?.splice(position, 1)[0] ?? null);
  };
  const isAsOften = new Set<string>();
  for (const [route, { length }] of groupByRoute(before.journeys)) {
    if (length === left.get(route)?.length) isAsOften.add(route);
  }
  const onSameDate = before.journeys.map((journey) => {
    const date = dateOf(before, journey);
    const route = routeOf(journey);
    return isAsOften.has(route) ? null : take(route, (other) => dateOf(current, other) === date);
  });
  const partners = before.journeys.map((journey, i) => onSameDate[i] ?? take(routeOf(journey), () => true));
  const unused = new Set([...left.values()].flat());
  const others = current.journeys.filter((journey) => unused.has(journey));
  const unpaired = partners.filter((partner) => partner === null).length;
  if (unpaired !== others.length) {
    return [
      ...before.journeys.map((journey, i) => [journey, partners[i]!] as const),
      ...others.map((other) => [null, other] as const),
    ];
  }
  return before.journeys.map((journey, i) => [journey, partners[i] ?? others.shift() ?? null] as const);
}

function groupByRoute(journeys: readonly Journey[]): ReadonlyMap<string, Journey[]> {
  const groups = new Map<string, Journey[]>();
  for (const journey of journeys) {
    const group = groups.get(routeOf(journey));
    if (group === undefined) groups.set(routeOf(journey), [journey]);
    else group.push(journey);
  }
  return groups;
}

function dateOf({ segments }: Itinerary, journey: Journey): string | null {
  return segments[journey.segments[0] ?? -1]?.departure.date ?? null;
}

function routeOf({ origin, destination }: Journey): string {
  return `${origin ?? ""}-${destination ?? ""}`;
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
    counterparts.push({ before: before.slice(fromBefore, i), after: after.slice(fromAfter, j) });
    counterparts.push({ before: [before[i]!], after: [after[j]!] });
    fromBefore = i + 1;
    fromAfter = j + 1;
  }
  counterparts.push({ before: before.slice(fromBefore), after: after.slice(fromAfter) });
  return counterparts.filter((pair) => pair.before.length + pair.after.length > 0);
}

/** A hundred flights on both sides, far beyond real journeys; keeps a hostile body from costing seconds. */
const largestSearch = 10_000;

function isLikely(a: ItinerarySegment, b: ItinerarySegment): boolean {
  return a.segmentKey === b.segmentKey || isSameLeg(a, b);
}

function isSameLeg(a: ItinerarySegment, b: ItinerarySegment): boolean {
  return a.departure.airport === b.departure.airport && a.arrival.airport === b.arrival.airport;
}

function commonFlights(
  before: readonly ItinerarySegment[],
  after: readonly ItinerarySegment[],
): readonly (readonly [number, number])[] {
  const length = before.map(() => after.map(() => 0));
  const at = (i: number, j: number) => length[i]?.[j] ?? 0;
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      length[i]![j] = isSameLeg(before[i]!, after[j]!) ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const positions: [number, number][] = [];
  let i = 0;
  let j = 0;
  while (i < before.length && j < after.length) {
    if (isSameLeg(before[i]!, after[j]!)) positions.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return positions;
}
