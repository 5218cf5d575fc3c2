import type { RequestedPassenger } from "../../contract/passenger-rules.ts";
import { flightKeyAt, segmentKeyAt } from "../booking/booked-keys.ts";
import type { FoundOffer } from "../shopping/find-offer.ts";
import type { TripFlight } from "../supply/extras.ts";
import type { OfferedFlight } from "../supply/offer.ts";
import type { Journey, JourneyTrip } from "./journey-trip.ts";

/** Flights of one search. Offers share a flight in the same cabin, and a journey. */
export function offeredTrip(offers: readonly FoundOffer[], passengers: readonly RequestedPassenger[]): JourneyTrip {
  const flights = new Map<string, TripFlight>();
  const journeys = new Map<string, Journey>();
  for (const journey of offers.flatMap(({ offer }) => offer.journeys)) {
    for (const flight of journey.flights) {
      const identity = identityOf(flight);
      if (!flights.has(identity)) flights.set(identity, { ...flight, segmentKey: segmentKeyAt(flights.size) });
    }
    const segmentKeys = journey.flights.map((flight) => flights.get(identityOf(flight))!.segmentKey);
    const identity = segmentKeys.join(" ");
    if (!journeys.has(identity)) journeys.set(identity, { flightKey: flightKeyAt(journeys.size), segmentKeys });
  }
  return {
    currency: offers[0]!.offer.currency,
    flights: [...flights.values()],
    journeys: [...journeys.values()],
    passengers,
  };
}

function identityOf({ carrier, flightNumber, from, departure, cabin }: OfferedFlight): string {
  return [carrier, flightNumber, from, departure.date, departure.time, cabin].join(" ");
}
