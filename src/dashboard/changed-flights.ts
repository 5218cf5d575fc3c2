import { z } from "zod";
import type { FlightDifference, ItineraryDifference } from "../itinerary/difference.ts";
import type { ItinerarySegment, LocalPoint } from "../itinerary/itinerary.ts";
import type { Stored } from "../kernel/stored.ts";
import { localTime } from "./change-schemas.ts";

export const changedFlight = z
  .strictObject({
    flight: z.string().meta({ description: "As booked; as proposed when it was added." }),
    bookedDeparture: localTime,
    proposedDeparture: localTime,
    bookedArrival: localTime,
    proposedArrival: localTime,
  })
  .meta({ id: "ChangedFlight" });

export type ChangedFlight = Stored<typeof changedFlight>;

export interface ChangeSummary {
  /** The airports of each journey that changes: `LIS–FRA–LIS, MIA–JFK–CDG`. */
  readonly route: string | null;
  readonly times: readonly ChangedFlight[];
}

/** More than any order has. Bounds what a hostile body can cause. */
const flightsMax = 20;

/** Returns the flights that are retimed, replaced, withdrawn, added or operated by another carrier, and their route. */
export function summariseChange({ journeys }: ItineraryDifference): ChangeSummary {
  const changed = journeys.filter(({ flights }) => flights.some(isMentioned));
  const route = joinRoutes(changed.map(({ flights }) => airportsOf(flights)));
  const mentioned = changed.flatMap(({ flights }) => flights.filter(isMentioned));
  return { route: route === "" ? null : route, times: mentioned.slice(0, flightsMax).map(toChangedFlight) };
}

/** Other terminals, aircraft and cabins are shown only on the page of the case. */
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

/** The booked route; the proposed one if the whole journey was added. */
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

/** Joins the way out and the way back: `LIS–FRA` and `FRA–LIS` become `LIS–FRA–LIS`. */
function joinRoutes(routes: readonly (readonly string[])[]): string {
  const joined: string[][] = [];
  for (const route of routes) {
    const last = joined.at(-1);
    if (last !== undefined && last.at(-1) === route[0]) last.push(...route.slice(1));
    else if (route.length > 0) joined.push([...route]);
  }
  return joined.map((airports) => airports.slice(0, flightsMax + 1).join("–")).join(", ");
}
