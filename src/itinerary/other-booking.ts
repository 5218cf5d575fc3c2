import { dated } from "./flight-change-words.ts";
import { flightNames } from "./flight-names.ts";
import { fitsFlight, type Itinerary, type ItinerarySegment, isSameLeg } from "./itinerary.ts";

/**
 * Says which flights the booking lists where the notification lists others: one of the two is of another booking, or the
 * change is not the one that it seems. A flight that the order is known to have had is no contradiction.
 * @param shown the booked flights of the status
 * @param notified the booked flights of the notification
 * @param known flights that were booked, offered or accepted before
 */
export function contradictedFlights(
  shown: Itinerary,
  notified: Itinerary,
  known: readonly Itinerary[],
): readonly string[] {
  const seen = [notified, ...known].flatMap(({ segments }) => segments);
  const missing = without(notified.segments, shown.segments);
  return without(shown.segments, seen).flatMap((flight) => {
    const other = missing.find((candidate) => isSameLeg(candidate, flight) || hasSameNumber(candidate, flight));
    return other === undefined
      ? []
      : [`the booking lists ${nameWithTimes(flight)}, and the notification ${nameWithTimes(other)}`];
  });
}

function without(
  flights: readonly ItinerarySegment[],
  others: readonly ItinerarySegment[],
): readonly ItinerarySegment[] {
  return flights.filter((flight) => !others.some((other) => fitsFlight(flight, other)));
}

function hasSameNumber(a: ItinerarySegment, b: ItinerarySegment): boolean {
  return (
    a.marketingFlightNumber !== null &&
    a.marketingFlightNumber === b.marketingFlightNumber &&
    a.marketingCarrier === b.marketingCarrier
  );
}

/** `LH1242 FRA-VIE on 1 Jun 2027, 15:30-16:50` */
function nameWithTimes(flight: ItinerarySegment): string {
  const { departure, arrival } = flight;
  return `${flightNames([flight])}${dated(departure)}, ${departure.time ?? "?"}-${arrival.time ?? "?"}`;
}
