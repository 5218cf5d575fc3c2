import type { FlightDifference, ItineraryDifference } from "../itinerary/difference.ts";
import type { ItinerarySegment, LocalPoint } from "../itinerary/itinerary.ts";

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
 * times of each flight that is retimed, replaced, withdrawn, added, or operated by another carrier.
 */
export function summariseChange({ journeys }: ItineraryDifference): ChangeSummary {
  const changed = journeys.filter(({ flights }) => flights.some(isMentioned));
  const route = joinRoutes(changed.map(({ flights }) => airportsOf(flights)));
  const mentioned = changed.flatMap(({ flights }) => flights.filter(isMentioned));
  return { route: route === "" ? null : route, times: mentioned.slice(0, flightsMax).map(toChangedFlight) };
}

/** Another terminal, aircraft or cabin is told on the page of the case. */
function isMentioned({ action, after }: FlightDifference): boolean {
  if (action !== "amended") return action !== "unchanged";
  return after.some(({ changed }) => changed.includes("operatingCarrier"));
}

function toChangedFlight({ before, after }: FlightDifference): ChangedFlight {
  return {
    flight: (before.length > 0 ? before : after).map(({ flight }) => flightOf(flight)).join("+"),
    bookedDeparture: localTimeOf(before[0]?.flight.departure),
    proposedDeparture: localTimeOf(after[0]?.flight.departure),
    bookedArrival: localTimeOf(before.at(-1)?.flight.arrival),
    proposedArrival: localTimeOf(after.at(-1)?.flight.arrival),
  };
}

function flightOf({ marketingCarrier, marketingFlightNumber }: ItinerarySegment): string {
  return `${marketingCarrier ?? "?"}${marketingFlightNumber ?? "?"}`;
}

function localTimeOf(point: LocalPoint | undefined): string | null {
  return point === undefined || point.date === null || point.time === null ? null : `${point.date}T${point.time}`;
}

/** Of what was booked; of what is proposed when the whole journey was added. */
function airportsOf(flights: readonly FlightDifference[]): readonly string[] {
  const booked = flights.flatMap(({ before }) => before);
  const shown = booked.length > 0 ? booked : flights.flatMap(({ after }) => after);
  return airportsAlong(shown.map(({ flight }) => flight));
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
