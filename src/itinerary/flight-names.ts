import type { ItinerarySegment } from "./itinerary.ts";

/** Returns `LH1137 BCN-FRA + AC873 FRA-YYZ`, with question marks for missing values. */
export function flightNames(flights: readonly ItinerarySegment[]): string {
  return flights.map(flightName).join(" + ");
}

function flightName({ marketingCarrier, marketingFlightNumber, departure, arrival }: ItinerarySegment): string {
  return `${marketingCarrier ?? "?"}${marketingFlightNumber ?? "?"} ${departure.airport ?? "?"}-${arrival.airport ?? "?"}`;
}
