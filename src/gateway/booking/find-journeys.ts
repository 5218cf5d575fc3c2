import { printedMinutesBetween } from "../local-time.ts";
import type { ParsedFlightRequest } from "../order-request.ts";

const connectionMinutesMax = 24 * 60;

/**
 * Groups the positions of flights by journey. A flight continues the journey if it leaves from where the one before
 * arrived, within 24 hours on the printed clocks, and does not return to the origin.
 */
export function findJourneys(flights: readonly ParsedFlightRequest[]): readonly (readonly number[])[] {
  const journeys: number[][] = [];
  flights.forEach((flight, position) => {
    const journey = journeys.at(-1);
    const before = flights[position - 1];
    const origin = journey === undefined ? undefined : flights[journey[0]!]?.from;
    const wait = before === undefined ? -1 : printedMinutesBetween(before.arrival, flight.departure);
    const connects = before?.to === flight.from && wait >= 0 && wait < connectionMinutesMax && flight.to !== origin;
    if (journey !== undefined && connects) journey.push(position);
    else journeys.push([position]);
  });
  return journeys;
}
