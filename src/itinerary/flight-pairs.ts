import { airportOf } from "../travel/airports.ts";
import type { ItinerarySegment } from "./itinerary.ts";
import { cityOf } from "./metropolitan-areas.ts";

/** A flight and the next one of the same journey. */
export interface FlightPair {
  readonly arriving: ItinerarySegment;
  readonly leaving: ItinerarySegment;
}

/** The ways of a journey that were booked without a flight, as a transfer on the ground. */
export type GroundWays = ReadonlySet<string>;

export function flightPairs(flights: readonly ItinerarySegment[]): readonly FlightPair[] {
  return flights.slice(1).map((leaving, position) => ({ arriving: flights[position]!, leaving }));
}

export function changesAirport({ arriving, leaving }: FlightPair): boolean {
  return arriving.arrival.airport !== leaving.departure.airport;
}

/**
 * Whether nothing flies from where one flight arrives to where the next one leaves. A transfer within a city is none,
 * nor is a way on the ground that was booked. An airport that is not stated, or not known, may be the right one.
 */
export function isGap(pair: FlightPair, booked: GroundWays): boolean {
  const way = groundWay(pair);
  return way !== null && !booked.has(way);
}

export function groundWaysOf(flights: readonly ItinerarySegment[]): GroundWays {
  return new Set(flightPairs(flights).flatMap((pair) => groundWay(pair) ?? []));
}

function groundWay(pair: FlightPair): string | null {
  if (!changesAirport(pair)) return null;
  const [from, to] = [pair.arriving.arrival.airport, pair.leaving.departure.airport].map(knownCity);
  return from == null || to == null || from === to ? null : `${from}-${to}`;
}

function knownCity(airport: string | null): string | null {
  return airport !== null && airportOf(airport) !== null ? cityOf(airport) : null;
}
