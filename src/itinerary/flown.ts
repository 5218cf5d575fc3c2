import { instantOf } from "../travel/local-time.ts";
import type { Counterpart, JourneyPair } from "./align.ts";
import type { Itinerary, ItinerarySegment } from "./itinerary.ts";

/** Omits journeys that were flown before the view was written: unlisted, but not withdrawn. */
export function withoutFlownJourneys(pairs: readonly JourneyPair[], now: Date): readonly JourneyPair[] {
  return pairs.filter((pair) => !isFlownJourney(pair, now));
}

/** Keeps flown journeys as booked: they are their own counterpart. */
export function withFlownJourneys(pairs: readonly JourneyPair[], now: Date): readonly JourneyPair[] {
  return pairs.map((pair) => {
    if (!isFlownJourney(pair, now)) return pair;
    const counterparts = pair.counterparts.map(({ before }) => ({ before, after: before }));
    return { ...pair, after: pair.before, counterparts };
  });
}

function isFlownJourney({ before, listed }: JourneyPair, now: Date): boolean {
  const last = before.at(-1);
  return !listed && last !== undefined && hasArrived(last, now);
}

/**
 * Does the same for the first flights of a journey under way: those that have arrived and are unlisted. Otherwise a
 * traveller on the way would seem to have lost them.
 * @param current the flights that the view lists.
 */
export function withFlownFlights(pairs: readonly JourneyPair[], current: Itinerary, now: Date): readonly JourneyPair[] {
  const listed = new Set(current.segments.map(legOf));
  const isFlown = ({ before, after }: Counterpart) =>
    after.length === 0 && before.every((flight) => !listed.has(legOf(flight)) && hasArrived(flight, now));
  return pairs.map((pair) => {
    if (pair.after.length === 0 || !pair.counterparts.some(isFlown)) return pair;
    const flown = pair.counterparts.filter(isFlown).flatMap(({ before }) => before);
    const counterparts = pair.counterparts.map((flights) =>
      isFlown(flights) ? { before: flights.before, after: flights.before } : flights,
    );
    return { ...pair, after: [...flown, ...pair.after], counterparts };
  });
}

export function stillAhead(flights: Itinerary, listed: Itinerary, now: Date): Pick<Itinerary, "segments"> {
  const legs = new Set(listed.segments.map(legOf));
  return { segments: flights.segments.filter((flight) => legs.has(legOf(flight)) || !hasArrived(flight, now)) };
}

function hasArrived({ arrival }: ItinerarySegment, now: Date): boolean {
  const arrived = instantOf(arrival);
  return arrived.known && arrived.value <= now.getTime();
}

function legOf({ departure, arrival }: ItinerarySegment): string {
  return `${departure.airport}-${arrival.airport}`;
}
