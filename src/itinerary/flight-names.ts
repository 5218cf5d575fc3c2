import { dated } from "./flight-change-words.ts";
import type { ItinerarySegment } from "./itinerary.ts";

/**
 * Returns `LH1137 BCN-FRA + AC873 FRA-YYZ`, with question marks for missing values.
 * @param among flights from which each is told apart by its date, if its name alone does not.
 */
export function flightNames(flights: readonly ItinerarySegment[], among: readonly ItinerarySegment[] = []): string {
  return flights
    .map((flight) => {
      const name = flightName(flight);
      const isOne = among.filter((other) => flightName(other) === name).length < 2;
      return isOne ? name : `${name}${dated(flight.departure)}`;
    })
    .join(" + ");
}

function flightName({ marketingCarrier, marketingFlightNumber, departure, arrival }: ItinerarySegment): string {
  return `${marketingCarrier ?? "?"}${marketingFlightNumber ?? "?"} ${departure.airport ?? "?"}-${arrival.airport ?? "?"}`;
}
