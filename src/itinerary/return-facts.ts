import { type Fact, known, unknown } from "../kernel/fact.ts";
import { airportOf, distanceKm } from "../travel/airports.ts";
import type { JourneyPair } from "./align.ts";
import { type ConnectionTimes, defaultConnectionTimes, minimumConnection } from "./connection-times.ts";
import { shortStayWords } from "./connection-words.ts";
import { factsFrom } from "./fact-definition.ts";
import { allOf, anyOf, difference, largestOf } from "./fact-logic.ts";
import { isChanged } from "./flight-comparison.ts";
import { changesAirport, type FlightPair } from "./flight-pairs.ts";
import { withoutFlownJourneys } from "./flown.ts";
import type { ItinerarySegment, LocalPoint } from "./itinerary.ts";
import { instantRange } from "./shifts.ts";

const { bool, int, list } = factsFrom<ReturnParts>();

export const returnFacts = {
  returnCoherent: bool(
    "Whether each origin and destination arrives before the next one leaves, with the time that a connection takes; where the next one leaves from another airport, less if less was booked. True when there is only one. A withdrawn one does not count.",
    ({ ordered, times }) => isCoherent(ordered, times),
  ),
  overlappingJourneys: list(
    "The proposed journeys that end too late for the next one, in words: 1 h 15 min remain at FRA between two journeys and 1 h 45 min are needed; or the next journey leaves FRA 25 min before they arrive.",
    ({ ordered, times }) => known(overlappingJourneys(ordered, times)),
  ),
  stayNightsDelta: int(
    "Nights between arriving somewhere and leaving again, by local dates, proposed minus booked: -1 is one night less. Of several stays the one that changes most. 0 when there is no stay.",
    ({ ordered }) => stayNightsDelta(ordered),
    { unit: "nights" },
  ),
  flightCount: int("Number of booked flights.", ({ flights }) => known(flights.length), { atLeast: 0 }),
  departedFlightCount: int(
    "Number of booked flights that have left, by the later of their booked and proposed departure. Unknown while now is between the two.",
    ({ departed }) => departed,
    { atLeast: 0 },
  ),
  partlyFlown: bool(
    "Whether some booked flights have left and others have not.",
    ({ flights, departed }) =>
      departed.known ? known(departed.value > 0 && departed.value < flights.length) : departed,
    { implies: ["departedFlightCount > 0"] },
  ),
  changedJourneyBegun: bool(
    "Whether a flight has left of an origin and destination of which a flight changes, by its booked departure and by its proposed one. A way back that changes weeks after the way out was flown has not begun.",
    ({ pairs, now }) => isChangedJourneyBegun(pairs, now),
  ),
  tripDeparted: bool(
    "Whether every flight has left, by its booked departure and by its proposed one. False when a flight is withdrawn: it was never flown.",
    ({ pairs, now }) => isTripDeparted(pairs, now),
    { implies: ["removedFlightCount == 0"] },
  ),
  journeyDistanceKm: int(
    "Great-circle distance from a booked origin to its destination, the longest, in kilometres, rounded up.",
    ({ pairs }) => longestDistance(pairs),
    { unit: "km", atLeast: 0 },
  ),
  routeCountries: list(
    "Countries of all booked airports in order of appearance, ISO 3166-1 alpha-2, each once.",
    ({ flights }) => countriesOf(flights),
  ),
  routes: list("Booked origins and destinations in order, each with its country: PT/LIS-US/JFK.", ({ pairs }) =>
    routesOf(pairs),
  ),
};

export interface ReturnParts extends ReturnType<typeof returnParts> {}

/** @param pairs booked journeys beside the proposed ones, including flown and unlisted ones. */
export function returnParts(pairs: readonly JourneyPair[], now: Date, times: ConnectionTimes = defaultConnectionTimes) {
  return {
    pairs,
    ordered: inOrderOfTravel(pairs),
    flights: pairs.flatMap((pair) => pair.before),
    departed: departedFlightCount(pairs, now),
    now,
    times,
  };
}

/** Sorts by booked departure, or the proposed one of an added journey; as listed if a departure is unknown. */
function inOrderOfTravel(pairs: readonly JourneyPair[]): readonly JourneyPair[] {
  const departures = pairs.map(({ before, after }) => {
    const first = before[0] ?? after[0];
    return first === undefined ? unknown("no-flights") : instantRange(first.departure, "departure");
  });
  if (!departures.every((departure) => departure.known)) return pairs;
  const order = departures.map((departure, position) => ({ instant: departure.value.low, position }));
  order.sort((a, b) => a.instant - b.instant || a.position - b.position);
  return order.map(({ position }) => pairs[position]!);
}

function isCoherent(journeys: readonly JourneyPair[], times: ConnectionTimes): Fact<boolean> {
  const flown = journeys.filter(({ after }) => after.length > 0);
  return allOf(
    flown.slice(1).map((next, position) => {
      const previous = flown[position]!;
      const connection = { arriving: previous.after.at(-1)!, leaving: next.after[0]! };
      const arrival = instantRange(connection.arriving.arrival, "arrival");
      const departure = instantRange(connection.leaving.departure, "departure");
      if (!arrival.known) return arrival;
      if (!departure.known) return departure;
      // Some views list the flights of one journey as separate journeys.
      const minimumMs = minimumConnection(times, connection) * 60_000;
      // Whoever booked less time to change airports knew how.
      const leastMs = changesAirport(connection) ? Math.min(minimumMs, bookedGapMs(previous, next)) : minimumMs;
      if (departure.value.low - arrival.value.high >= leastMs) return known(true);
      return departure.value.high - arrival.value.low < leastMs ? known(false) : unknown("ambiguous-time");
    }),
  );
}

/** The least that a booked way between two journeys may take; at least a millisecond, and without limit if it is unknown. */
function bookedGapMs(previous: JourneyPair, next: JourneyPair): number {
  const [arriving, leaving] = [previous.before.at(-1), next.before[0]];
  if (arriving === undefined || leaving === undefined) return Number.POSITIVE_INFINITY;
  const [arrival, departure] = [
    instantRange(arriving.arrival, "arrival"),
    instantRange(leaving.departure, "departure"),
  ];
  if (!arrival.known || !departure.known) return Number.POSITIVE_INFINITY;
  return Math.max(1, departure.value.low - arrival.value.high);
}

function overlappingJourneys(journeys: readonly JourneyPair[], times: ConnectionTimes): readonly string[] {
  const flown = journeys.filter(({ after }) => after.length > 0);
  return flown.slice(1).flatMap((next, position) => {
    const previous = flown[position]!;
    const isInTime = isCoherent([previous, next], times);
    if (!isInTime.known || isInTime.value) return [];
    const between = { arriving: previous.after.at(-1)!, leaving: next.after[0]! };
    const minimum = minimumConnection(times, between);
    const isLessBooked = changesAirport(between) && bookedGapMs(previous, next) < minimum * 60_000;
    const places = [between.arriving.arrival.airport ?? "?", between.leaving.departure.airport ?? "?"];
    return [shortStayWords([...new Set(places)], exactMinutes(between), isLessBooked ? null : minimum)];
  });
}

/** Null if a time is not known or has two meanings. */
function exactMinutes({ arriving, leaving }: FlightPair): number | null {
  const arrival = instantRange(arriving.arrival, "arrival");
  const departure = instantRange(leaving.departure, "departure");
  if (!arrival.known || !departure.known) return null;
  const { low, high } = difference(departure.value, arrival.value);
  return low === high ? Math.floor(low / 60_000) : null;
}

/** A journey in only one of the two itineraries leaves no stays to compare. */
function stayNightsDelta(pairs: readonly JourneyPair[]): Fact<number> {
  if (pairs.length < 2) return known(0);
  if (pairs.some(({ before, after }) => before.length === 0 || after.length === 0)) return unknown("withdrawn");
  let delta = 0;
  for (const [position, next] of pairs.slice(1).entries()) {
    const previous = pairs[position]!;
    const booked = nights(previous.before, next.before);
    const proposed = nights(previous.after, next.after);
    if (!booked.known) return booked;
    if (!proposed.known) return proposed;
    const change = proposed.value - booked.value;
    if (Math.abs(change) > Math.abs(delta)) delta = change;
  }
  return known(delta);
}

function nights(outbound: readonly ItinerarySegment[], inbound: readonly ItinerarySegment[]): Fact<number> {
  const from = dayOf(outbound.at(-1)!.arrival.date);
  const to = dayOf(inbound[0]!.departure.date);
  if (from === null) return unknown("unknown-arrival");
  return to === null ? unknown("unknown-departure") : known(to - from);
}

function dayOf(date: string | null): number | null {
  const midnight = date === null ? Number.NaN : Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(midnight) ? null : midnight / 86_400_000;
}

function departedFlightCount(pairs: readonly JourneyPair[], now: Date): Fact<number> {
  let count = 0;
  for (const { listed, counterparts } of pairs) {
    for (const { before, after } of counterparts) {
      for (const [position, booked] of before.entries()) {
        // If several flights replace several, those at the same position are counterparts.
        const proposed = after[Math.min(position, after.length - 1)] ?? null;
        const hasLeft = isDeparted(booked, proposed, now);
        if (!hasLeft.known) return hasLeft;
        if (hasLeft.value && proposed === null && listed) return unknown("removed-or-unknown");
        if (hasLeft.value) count += 1;
      }
    }
  }
  return known(count);
}

/** A withdrawn flight may have left before that, or not. */
function isChangedJourneyBegun(pairs: readonly JourneyPair[], now: Date): Fact<boolean> {
  return anyOf(
    withoutFlownJourneys(pairs, now)
      .filter(({ counterparts }) => counterparts.some(isChanged))
      .flatMap(({ counterparts }) =>
        counterparts.flatMap(({ before, after }) =>
          before.map((booked, position) => {
            const proposed = after[Math.min(position, after.length - 1)] ?? null;
            const hasLeft = isDeparted(booked, proposed, now);
            return hasLeft.known && hasLeft.value && proposed === null ? unknown("removed-or-unknown") : hasLeft;
          }),
        ),
      ),
  );
}

/** A journey flown before the view was written is unlisted, and has left. */
function isTripDeparted(pairs: readonly JourneyPair[], now: Date): Fact<boolean> {
  if (pairs.length === 0) return unknown("no-flights");
  return allOf(
    withoutFlownJourneys(pairs, now)
      .flatMap((pair) => pair.counterparts)
      .flatMap(({ before, after }) =>
        after.length === 0
          ? [known(false)]
          : [...before, ...after].map(({ departure }) => isPast(departure, now.getTime())),
      ),
  );
}

/** Whether a flight has left by both of its departures. */
function isDeparted(booked: ItinerarySegment, proposed: ItinerarySegment | null, now: Date): Fact<boolean> {
  const departures = [booked, ...(proposed === null ? [] : [proposed])].map((flight) =>
    isPast(flight.departure, now.getTime()),
  );
  const hasLeft = allOf(departures);
  const isBetween = departures.some((fact) => fact.known && fact.value) && hasLeft.known && !hasLeft.value;
  return isBetween ? unknown("between-departures") : hasLeft;
}

function isPast(departure: LocalPoint, now: number): Fact<boolean> {
  const range = instantRange(departure, "departure");
  if (!range.known) return range;
  if (range.value.low > now) return known(false);
  return range.value.high <= now ? known(true) : unknown("ambiguous-time");
}

export function longestDistance(pairs: readonly JourneyPair[]): Fact<number> {
  const booked = pairs.map((pair) => pair.before).filter((flights) => flights.length > 0);
  if (booked.length === 0) return unknown("no-flights");
  return largestOf(
    booked.map((flights) => {
      const km = distanceKm(flights[0]!.departure.airport ?? "", flights.at(-1)!.arrival.airport ?? "");
      return km === null ? unknown("unknown-airport") : known({ low: Math.ceil(km), high: Math.ceil(km) });
    }),
    0,
  );
}

function countriesOf(flights: readonly ItinerarySegment[]): Fact<readonly string[]> {
  const airports = flights.flatMap((flight) => [flight.departure.airport, flight.arrival.airport]);
  const countries = airports.map((airport) => (airport === null ? "" : (airportOf(airport)?.country ?? "")));
  return countries.includes("") ? unknown("unknown-airport") : known([...new Set(countries)]);
}

function routesOf(pairs: readonly JourneyPair[]): Fact<readonly string[]> {
  const booked = inOrderOfTravel(pairs).flatMap(({ before }) => (before.length === 0 ? [] : [before]));
  const routes = booked.map((flights) => {
    const from = placeOf(flights[0]!.departure.airport);
    const to = placeOf(flights.at(-1)!.arrival.airport);
    return from === null || to === null ? null : `${from.country}/${from.code}-${to.country}/${to.code}`;
  });
  const stated = routes.filter((route) => route !== null);
  return stated.length < routes.length ? unknown("unknown-airport") : known(stated);
}

function placeOf(code: string | null): { readonly code: string; readonly country: string } | null {
  const country = code === null ? "" : (airportOf(code)?.country ?? "");
  return code === null || country === "" ? null : { code, country };
}
