import type { ItinerarySegment } from "./itinerary.ts";

/** `LH1137 BCN-FRA + AC873 FRA-YYZ`. What is not stated is a question mark. */
export function flightNames(flights: readonly ItinerarySegment[]): string {
  return flights.map(flightName).join(" + ");
}

function flightName({ marketingCarrier, marketingFlightNumber, departure, arrival }: ItinerarySegment): string {
  return `${marketingCarrier ?? "?"}${marketingFlightNumber ?? "?"} ${departure.airport ?? "?"}-${arrival.airport ?? "?"}`;
}
