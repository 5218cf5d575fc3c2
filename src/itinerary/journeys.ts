import type { Flight, OriginDestination } from "../contract/order-view.ts";
import { instantOf } from "../travel/local-time.ts";
import type { Itinerary, ItinerarySegment } from "./itinerary.ts";

/** A journey as the keys of its segments. */
export interface KeyedJourney {
  readonly origin: string | null;
  readonly destination: string | null;
  readonly segmentKeys: readonly string[];
}

/**
 * Groups segments into journeys: by OriginDestinationList, then by FlightList with one journey per flight, then by
 * connections of less than 24 hours at the same airport. Every segment is in exactly one.
 */
export function groupIntoJourneys(
  segments: readonly ItinerarySegment[],
  flights: readonly Flight[],
  originDestinations: readonly OriginDestination[],
): readonly KeyedJourney[] {
  const left = new Map(segments.map((segment) => [segment.segmentKey, segment]));
  const flightsByKey = new Map(flights.map((flight) => [flight.flightKey, flight]));

  const listed = originDestinations.map((pair) => {
    const keys = pair.flightKeys.flatMap((flightKey) => flightsByKey.get(flightKey)?.segmentKeys ?? []);
    return journeyOf(takeFrom(left, keys), pair.departureCode, pair.arrivalCode);
  });
  const byFlight = flights.map((flight) => journeyOf(takeFrom(left, flight.segmentKeys)));
  const rest = connected([...left.values()]).map((chain) => journeyOf(chain));
  return [...listed, ...byFlight, ...rest].filter((journey) => journey.segmentKeys.length > 0);
}

export function buildItinerary(
  journeys: readonly KeyedJourney[],
  segmentsOf: (segmentKey: string) => readonly ItinerarySegment[],
): Itinerary {
  const segments: ItinerarySegment[] = [];
  const positions = journeys.map(({ origin, destination, segmentKeys }) => {
    const start = segments.length;
    for (const segment of inOrderOfTravel(segmentKeys.flatMap(segmentsOf))) segments.push(segment);
    return { origin, destination, segments: Array.from(segments.slice(start), (_, offset) => start + offset) };
  });
  return { segments, journeys: positions };
}

function journeyOf(
  listed: readonly ItinerarySegment[],
  origin: string | null = null,
  destination: string | null = null,
): KeyedJourney {
  const segments = inOrderOfTravel(listed);
  return {
    origin: origin ?? segments[0]?.departure.airport ?? null,
    destination: destination ?? segments.at(-1)?.arrival.airport ?? null,
    segmentKeys: segments.map((segment) => segment.segmentKey),
  };
}

function takeFrom(left: Map<string, ItinerarySegment>, keys: readonly string[]): readonly ItinerarySegment[] {
  return keys.flatMap((key) => {
    const segment = left.get(key);
    return segment !== undefined && left.delete(key) ? [segment] : [];
  });
}

/**
 * Sorts flights that are listed in another order than flown. Departure order counts only if it forms a path and the
 * listed order does not: a flight moved behind its connection stays in front of it.
 */
function inOrderOfTravel(segments: readonly ItinerarySegment[]): readonly ItinerarySegment[] {
  if (isPath(segments)) return segments;
  const byDeparture = inOrderOfDeparture(segments);
  return isPath(byDeparture) ? byDeparture : segments;
}

function isPath(segments: readonly ItinerarySegment[]): boolean {
  return segments.every(({ departure }, i) => i === 0 || segments[i - 1]!.arrival.airport === departure.airport);
}

function connected(segments: readonly ItinerarySegment[]): readonly (readonly ItinerarySegment[])[] {
  const chains: ItinerarySegment[][] = [];
  for (const segment of inOrderOfDeparture(segments)) {
    const chain = chains.at(-1);
    const before = chain?.at(-1);
    if (chain !== undefined && before !== undefined && connects(before, segment)) chain.push(segment);
    else chains.push([segment]);
  }
  return chains;
}

/** Keeps the listed order if a departure is unknown: a guess would be worse than the gateway's order. */
function inOrderOfDeparture(segments: readonly ItinerarySegment[]): readonly ItinerarySegment[] {
  const departures = segments.map((segment) => instantOf(segment.departure));
  if (!departures.every((departure) => departure.known)) return segments;
  const order = departures.map((departure, position) => ({ instant: departure.value, position }));
  order.sort((a, b) => a.instant - b.instant || a.position - b.position);
  return order.map(({ position }) => segments[position]!);
}

function connects(before: ItinerarySegment, after: ItinerarySegment): boolean {
  const arrived = instantOf(before.arrival);
  const leaves = instantOf(after.departure);
  if (before.arrival.airport !== after.departure.airport || !arrived.known || !leaves.known) return false;
  const wait = leaves.value - arrived.value;
  return wait >= 0 && wait < 86_400_000;
}
