import { isAboutConnection, minimumStatedIn } from "./connection-words.ts";
import { type Connection, isStopover, withMinutes } from "./connections.ts";
import { readingsOf } from "./contradicted-time.ts";
import type { ItineraryDifference, JourneyDifference, MarkedFlight } from "./difference.ts";
import type { ChangeFacts } from "./fact-catalogue.ts";
import { flightPairs, groundWaysOf, isGap } from "./flight-pairs.ts";
import { type Itinerary, type ItinerarySegment, inOrderOf, type LocalPoint } from "./itinerary.ts";
import { type End, instantRange } from "./shifts.ts";

/** The flights of one origin and destination on a time axis, booked and proposed. */
export interface JourneyTimes {
  readonly booked: TimedFlights;
  readonly proposed: TimedFlights;
}

export interface TimedFlights {
  readonly flights: readonly TimedFlight[];
  /** Between each flight and the next. */
  readonly connections: readonly TimedConnection[];
}

export interface TimedFlight {
  readonly flight: string;
  readonly departure: TimedPoint;
  readonly arrival: TimedPoint;
}

export interface TimedPoint {
  readonly airport: string | null;
  /** As printed, `yyyy-mm-ddThh:mm`. */
  readonly local: string | null;
  /** What the time may be if it contradicts the airport's clock: `11:35 or 12:35`. Null if it does not. */
  readonly readings: string | null;
  /** Null if the local time is unknown or means more or less than one instant. */
  readonly at: Date | null;
}

/** `no-flight`: nothing flies from where one flight arrives to where the next one leaves, so it is no connection. */
export type ConnectionState = "fine" | "tight" | "broken" | "stopover" | "unknown" | "no-flight";

export interface TimedConnection {
  /** Where it arrives. */
  readonly airport: string | null;
  /** From where the next flight leaves. */
  readonly nextAirport: string | null;
  /** Null if unknown, and without a flight. */
  readonly minutes: number | null;
  /** That the facts were computed with; null for booked connections, which were sold as they are. */
  readonly minimumMinutes: number | null;
  readonly state: ConnectionState;
}

type ConnectionLists = Partial<Pick<ChangeFacts, "connections" | "brokenConnections" | "tightConnections">>;

/**
 * Minutes come from the instants of the flights. Minima and states come from the facts, so that they are those of the
 * policy that decided, not those of today.
 */
export function journeyTimes(
  { journeys }: ItineraryDifference,
  proposed: Itinerary,
  facts: ConnectionLists,
): readonly JourneyTimes[] {
  return journeys.map((journey) => {
    const booked = flightsOf(journey, "before");
    const flights = inOrderOf(proposed, flightsOf(journey, "after"));
    return {
      booked: timed(booked, booked, stateOfBooked),
      proposed: timed(flights, booked, (connection) => judge(connection, facts)),
    };
  });
}

function flightsOf({ flights }: JourneyDifference, side: "before" | "after"): readonly ItinerarySegment[] {
  return flights.flatMap((pair) => pair[side].map(({ flight }: MarkedFlight) => flight));
}

type Judgement = Pick<TimedConnection, "minimumMinutes" | "state">;

function timed(
  flights: readonly ItinerarySegment[],
  booked: readonly ItinerarySegment[],
  judgeOne: (connection: Connection) => Judgement,
): TimedFlights {
  const sold = groundWaysOf(booked);
  return {
    flights: flights.map((flight) => ({
      flight: `${flight.marketingCarrier ?? "?"}${flight.marketingFlightNumber ?? "?"}`,
      departure: timedPoint(flight.departure, "departure"),
      arrival: timedPoint(flight.arrival, "arrival"),
    })),
    connections: flightPairs(flights).map((pair) => {
      const places = { airport: pair.arriving.arrival.airport, nextAirport: pair.leaving.departure.airport };
      if (isGap(pair, sold)) return { ...places, minutes: null, minimumMinutes: null, state: "no-flight" };
      const connection = withMinutes(pair);
      return { ...places, minutes: minutesOf(connection), ...judgeOne(connection) };
    }),
  };
}

function timedPoint(point: LocalPoint, end: End): TimedPoint {
  const range = instantRange(point, end);
  const isExact = range.known && range.value.low === range.value.high;
  return {
    airport: point.airport,
    local: point.date === null || point.time === null ? null : `${point.date}T${point.time.slice(0, 5)}`,
    readings: point.contradiction === undefined ? null : readingsOf(point.contradiction),
    at: isExact ? new Date(range.value.low) : null,
  };
}

function minutesOf({ minutes }: Connection): number | null {
  return minutes.known && minutes.value.low === minutes.value.high ? minutes.value.low : null;
}

function stateOfBooked(connection: Connection): Judgement {
  const state = isStopover(connection) ? "stopover" : minutesOf(connection) === null ? "unknown" : "fine";
  return { minimumMinutes: null, state };
}

/** Finds the line of the facts that is about this connection: `JFK 15 of 75 min DI`, `JFK: 15 of 75 min`. */
function judge(connection: Connection, facts: ConnectionLists): Judgement {
  if (isStopover(connection)) return { minimumMinutes: null, state: "stopover" };
  const { arrival } = connection.arriving;
  const { departure } = connection.leaving;
  const place = [...new Set([arrival.airport ?? "?", departure.airport ?? "?"])].join("-");
  const isAbout = (line: string): boolean => isAboutConnection(line, place, minutesOf(connection));
  const lineIn = (name: keyof ConnectionLists): string | undefined => {
    const fact = facts[name];
    return fact?.known === true ? fact.value.find(isAbout) : undefined;
  };
  const broken = lineIn("brokenConnections");
  const tight = lineIn("tightConnections");
  const listed = lineIn("connections");
  const stated = [broken, tight, listed].flatMap((line) => minimumStatedIn(line ?? "") ?? []);
  const state =
    broken !== undefined ? "broken" : tight !== undefined ? "tight" : listed !== undefined ? "fine" : "unknown";
  return { minimumMinutes: stated[0] ?? null, state };
}
