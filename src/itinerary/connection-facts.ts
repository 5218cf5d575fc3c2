import { type Fact, known, unknown } from "../kernel/fact.ts";
import type { JourneyPair } from "./align.ts";
import { type ConnectionTimes, minimumConnection } from "./connection-times.ts";
import { anyOf, difference, type Range, smallestOf } from "./fact-logic.ts";
import type { ItinerarySegment } from "./itinerary.ts";
import { instantRange } from "./time-facts.ts";

/** Two flights in a row of one journey, less than 24 hours apart as far as is known. */
interface Connection {
  readonly arriving: ItinerarySegment;
  readonly leaving: ItinerarySegment;
  readonly minutes: Fact<Range>;
}

/** `shortestConnectionMinutes` of a journey without connections: longer than any connection. */
export const noConnectionMinutes = 1_000_000;

/** 24 hours: longer is a stopover, which nobody has to catch. */
const longestConnectionMinutes = 1440;

/** Airports at which the proposed journeys change flights, each once. */
export function connectingAirports(pairs: readonly JourneyPair[]): Fact<readonly string[]> {
  const airports = proposedConnections(pairs).flatMap(({ arriving, leaving }) => [
    arriving.arrival.airport,
    leaving.departure.airport,
  ]);
  const stated = airports.filter((airport) => airport !== null);
  return stated.length < airports.length ? unknown("unknown-airport") : known([...new Set(stated)]);
}

export function hasConnection(pairs: readonly JourneyPair[]): Fact<boolean> {
  return anyOf(
    proposedConnections(pairs).map(({ minutes }) => {
      if (!minutes.known) return minutes;
      return minutes.value.high < longestConnectionMinutes ? known(true) : unknown("ambiguous-time");
    }),
  );
}

export function shortestConnectionMinutes(pairs: readonly JourneyPair[]): Fact<number> {
  return smallestOf(
    proposedConnections(pairs).map(({ minutes }) => minutes),
    noConnectionMinutes,
  );
}

/**
 * Whether a proposed connection is too short, or leaves from another airport than it did. Nothing is broken that was
 * sold: a connection at the same airports and terminals that is no shorter than before is left alone, since the
 * defaults are coarser than what the airline knew.
 */
export function isConnectionBroken(pairs: readonly JourneyPair[], times: ConnectionTimes): Fact<boolean> {
  return anyOf(
    pairs.flatMap((pair) => {
      const before = connectionsOf(pair.before);
      return connectionsOf(pair.after).map((connection) => isBroken(connection, before, times));
    }),
  );
}

function isBroken(connection: Connection, before: readonly Connection[], times: ConnectionTimes): Fact<boolean> {
  const { arriving, leaving, minutes } = connection;
  const earlier = before.filter((other) => isSamePlace(connection, other));
  const changesAirport = arriving.arrival.airport !== leaving.departure.airport;
  if (changesAirport && earlier.length === 0) return known(true);
  if (!minutes.known) return minutes;
  const { low, high } = minutes.value;
  if (high <= 0) return known(true);
  if (
    earlier.some(
      (other) => other.minutes.known && other.minutes.value.high <= low && hasSameTerminals(connection, other),
    )
  ) {
    return known(false);
  }
  const minimum = minimumConnection(times, arriving, leaving);
  if (low >= minimum) return known(false);
  return high < minimum ? known(true) : unknown("ambiguous-time");
}

function proposedConnections(pairs: readonly JourneyPair[]): readonly Connection[] {
  return pairs.flatMap((pair) => connectionsOf(pair.after));
}

function connectionsOf(flights: readonly ItinerarySegment[]): readonly Connection[] {
  return flights.slice(1).flatMap((leaving, position) => {
    const arriving = flights[position]!;
    const minutes = minutesBetween(arriving, leaving);
    const isStopover = minutes.known && minutes.value.low >= longestConnectionMinutes;
    return isStopover ? [] : [{ arriving, leaving, minutes }];
  });
}

function minutesBetween(arriving: ItinerarySegment, leaving: ItinerarySegment): Fact<Range> {
  const arrival = instantRange(arriving.arrival, "arrival");
  const departure = instantRange(leaving.departure, "departure");
  if (!arrival.known) return arrival;
  if (!departure.known) return departure;
  const wait = difference(departure.value, arrival.value);
  return known({ low: wait.low / 60_000, high: wait.high / 60_000 });
}

function isSamePlace(a: Connection, b: Connection): boolean {
  return (
    a.arriving.arrival.airport === b.arriving.arrival.airport &&
    a.leaving.departure.airport === b.leaving.departure.airport
  );
}

function hasSameTerminals(a: Connection, b: Connection): boolean {
  return (
    a.arriving.arrival.terminal === b.arriving.arrival.terminal &&
    a.leaving.departure.terminal === b.leaving.departure.terminal
  );
}
