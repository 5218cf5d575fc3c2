import type { Itinerary, ItinerarySegment, Journey, LocalPoint } from "../itinerary/itinerary.ts";

/** A flight that changes, with its local times as printed, `yyyy-mm-ddThh:mm`; null where one is not known or gone. */
export interface ChangedFlight {
  /** As booked, such as `LH1167`; as proposed when it was added. */
  readonly flight: string;
  readonly bookedDeparture: string | null;
  readonly proposedDeparture: string | null;
  readonly bookedArrival: string | null;
  readonly proposedArrival: string | null;
}

export interface ChangeSummary {
  /** The journeys that change, each as its airports: `LIS–FRA–LIS`, `MIA–JFK–CDG`; several are separated by commas. */
  readonly route: string | null;
  readonly times: readonly ChangedFlight[];
}

/** More flights than any order has; it bounds what a hostile body makes of one line. */
const flightsMax = 20;

/**
 * What a list says about the flights of a change: the route of what was booked where it changes, and old and new local
 * times of each flight that is retimed, replaced, withdrawn or added. Flights belong together by their segment key, or,
 * when keys are not the same on both sides, by their place among flights between the same airports.
 */
export function summariseChange(booked: Itinerary, proposed: Itinerary): ChangeSummary {
  const pairs = pairFlights(booked.segments, proposed.segments).filter(isChanged);
  const changed = new Set(pairs.flatMap(({ before }) => before));
  const journeys = booked.journeys.filter(({ segments }) =>
    segments.some((position) => changed.has(booked.segments[position]!)),
  );
  const routes =
    journeys.length > 0
      ? joinRoutes(journeys.map((journey) => airportsOf(booked, journey)))
      : joinRoutes(pairs.map(({ after }) => airportsAlong(after)));
  return { route: routes === "" ? null : routes, times: pairs.slice(0, flightsMax).map(toChangedFlight) };
}

interface FlightPair {
  readonly before: readonly ItinerarySegment[];
  readonly after: readonly ItinerarySegment[];
}

function pairFlights(before: readonly ItinerarySegment[], after: readonly ItinerarySegment[]): readonly FlightPair[] {
  const beforeKeys = new Set(before.map(({ segmentKey }) => segmentKey));
  const isKeyed = after.every(({ segmentKey }) => beforeKeys.has(segmentKey));
  const earlier = groupBy(before, isKeyed ? keyOfSegment : numberedLegs());
  const later = groupBy(after, isKeyed ? keyOfSegment : numberedLegs());
  const keys = new Set([...earlier.keys(), ...later.keys()]);
  return [...keys].map((key) => ({ before: earlier.get(key) ?? [], after: later.get(key) ?? [] }));
}

function keyOfSegment({ segmentKey }: ItinerarySegment): string {
  return segmentKey;
}

/** `FRA–JFK#2` for the second flight between the two. */
function numberedLegs(): (segment: ItinerarySegment) => string {
  const seen = new Map<string, number>();
  return ({ departure, arrival }) => {
    const leg = `${departure.airport}–${arrival.airport}`;
    const number = (seen.get(leg) ?? 0) + 1;
    seen.set(leg, number);
    return `${leg}#${number}`;
  };
}

function groupBy(
  segments: readonly ItinerarySegment[],
  keyOf: (segment: ItinerarySegment) => string,
): ReadonlyMap<string, readonly ItinerarySegment[]> {
  const groups = new Map<string, ItinerarySegment[]>();
  for (const segment of segments) {
    const key = keyOf(segment);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [segment]);
    else group.push(segment);
  }
  return groups;
}

function isChanged({ before, after }: FlightPair): boolean {
  const [old] = before;
  const [fresh] = after;
  if (old === undefined || fresh === undefined || before.length > 1 || after.length > 1) return true;
  return (
    flightOf(old) !== flightOf(fresh) ||
    old.operatingCarrier !== fresh.operatingCarrier ||
    differs(old.departure, fresh.departure) ||
    differs(old.arrival, fresh.arrival)
  );
}

function differs(a: LocalPoint, b: LocalPoint): boolean {
  return a.airport !== b.airport || localTimeOf(a) !== localTimeOf(b);
}

function toChangedFlight({ before, after }: FlightPair): ChangedFlight {
  return {
    flight: (before.length > 0 ? before : after).map(flightOf).join("+"),
    bookedDeparture: localTimeOf(before[0]?.departure),
    proposedDeparture: localTimeOf(after[0]?.departure),
    bookedArrival: localTimeOf(before.at(-1)?.arrival),
    proposedArrival: localTimeOf(after.at(-1)?.arrival),
  };
}

function flightOf({ marketingCarrier, marketingFlightNumber }: ItinerarySegment): string {
  return `${marketingCarrier ?? "?"}${marketingFlightNumber ?? "?"}`;
}

function localTimeOf(point: LocalPoint | undefined): string | null {
  return point === undefined || point.date === null || point.time === null ? null : `${point.date}T${point.time}`;
}

function airportsOf(itinerary: Itinerary, { segments }: Journey): readonly string[] {
  return airportsAlong(segments.map((position) => itinerary.segments[position]!));
}

function airportsAlong(segments: readonly ItinerarySegment[]): readonly string[] {
  const airports: string[] = [];
  for (const { departure, arrival } of segments) {
    const from = departure.airport ?? "?";
    if (airports.at(-1) !== from) airports.push(from);
    airports.push(arrival.airport ?? "?");
  }
  return airports;
}

/** A way back that begins where the way out ended is one route: `LIS–FRA` and `FRA–LIS` are `LIS–FRA–LIS`. */
function joinRoutes(routes: readonly (readonly string[])[]): string {
  const joined: string[][] = [];
  for (const route of routes) {
    const last = joined.at(-1);
    if (last !== undefined && last.at(-1) === route[0]) last.push(...route.slice(1));
    else if (route.length > 0) joined.push([...route]);
  }
  return joined.map((airports) => airports.slice(0, flightsMax + 1).join("–")).join(", ");
}
