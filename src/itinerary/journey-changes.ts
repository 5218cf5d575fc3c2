import { type Fact, known, unknown } from "../kernel/fact.ts";
import { airportOf } from "../travel/airports.ts";
import type { JourneyPair } from "./align.ts";
import { isChangingElsewhere } from "./connection-facts.ts";
import { isOneBooking } from "./connections.ts";
import type { ChangeFacts } from "./fact-catalogue.ts";
import { comparedJourneys, type FactsInput } from "./facts-input.ts";
import {
  changedFlightCount,
  isAircraftChanged,
  isFlightNumberChanged,
  removedFlightCount,
} from "./flight-comparison.ts";
import { isCabinDowngraded } from "./flight-losses.ts";
import type { ItinerarySegment, LocalPoint } from "./itinerary.ts";
import { factsOfOneJourney } from "./journey-facts.ts";
import { isCancelled } from "./outcome-facts.ts";
import { longestDistance } from "./return-facts.ts";

/** Facts of the catalogue that also mean something for one origin and destination alone, under the same names. */
export const journeyChangeFactNames = [
  "cancelled",
  "removedFlightCount",
  "changedFlightCount",
  "journeyDepartureEarlierMinutes",
  "journeyDepartureLaterMinutes",
  "journeyArrivalEarlierMinutes",
  "journeyArrivalLaterMinutes",
  "originChanged",
  "destinationChanged",
  "connectionsAdded",
  "connectingAirportsChanged",
  "flightNumberChanged",
  "aircraftChanged",
  "cabinDowngraded",
  "journeyDistanceKm",
] as const satisfies readonly (keyof ChangeFacts)[];

export type JourneyChangeFactName = (typeof journeyChangeFactNames)[number];

/** The facts of one journey. */
export type JourneyChangeFacts = Pick<ChangeFacts, JourneyChangeFactName>;

/**
 * What becomes of one booked origin and destination. Laws look at each by itself: one may be domestic or leave from the
 * EU and another not, so facts about the whole order are not enough for them. Plain JSON: stored with decisions.
 */
export interface JourneyChange {
  /** The booked flights in order; never empty. */
  readonly flights: readonly BookedFlight[];
  /** Whether all of them are on one booking reference. Changes stored by earlier versions lack it. */
  readonly oneBooking?: Fact<boolean>;
  /** Where and when the first booked flight leaves, in local time. */
  readonly departure: Pick<LocalPoint, "airport" | "date" | "time">;
  readonly facts: JourneyChangeFacts;
}

/** What laws ask of a booked flight. */
export interface BookedFlight {
  readonly from: AirportInCountry;
  readonly to: AirportInCountry;
  /** IATA code; null when it is not stated. */
  readonly operatingCarrier: string | null;
  /** IATA code of the carrier under whose number it is sold. Changes stored by earlier versions lack it. */
  readonly marketingCarrier?: string | null;
}

/** An airport, and its country as ISO 3166-1 alpha-2; null for what is not known. */
export interface AirportInCountry {
  readonly airport: string | null;
  readonly country: string | null;
}

/** The booked journeys of a change that are not flown yet. Never throws: what cannot be told is unknown. */
export function journeyChanges(input: FactsInput): readonly JourneyChange[] {
  const pairs = comparedJourneys(input);
  return pairs
    .filter((pair) => pair.before.length > 0)
    .map((pair) => ({
      flights: pair.before.map(bookedFlight),
      oneBooking: bookedAsOne(pair, input),
      departure: placeAndTime(pair.before[0]!.departure),
      facts: factsOf(pair, pairs, input),
    }));
}

function factsOf(pair: JourneyPair, pairs: readonly JourneyPair[], input: FactsInput): JourneyChangeFacts {
  const flights = pair.counterparts;
  return {
    cancelled: isCancelled(pair, pairs, input.proposal),
    removedFlightCount: known(removedFlightCount(flights)),
    changedFlightCount: known(changedFlightCount(flights)),
    ...factsOfOneJourney(pair),
    connectingAirportsChanged: isChangingElsewhere(pair),
    flightNumberChanged: isFlightNumberChanged(flights),
    aircraftChanged: known(isAircraftChanged(flights)),
    cabinDowngraded: isCabinDowngraded(flights),
    journeyDistanceKm: longestDistance([pair]),
  };
}

function bookedFlight({ departure, arrival, operatingCarrier, marketingCarrier }: ItinerarySegment): BookedFlight {
  return { from: inCountry(departure.airport), to: inCountry(arrival.airport), operatingCarrier, marketingCarrier };
}

function bookedAsOne({ before }: JourneyPair, { order }: FactsInput): Fact<boolean> {
  if (before.length === 1) return known(true);
  return order === undefined ? unknown("order-not-given") : isOneBooking(before, order.records);
}

function inCountry(airport: string | null): AirportInCountry {
  const country = airport === null ? "" : (airportOf(airport)?.country ?? "");
  return { airport, country: country === "" ? null : country };
}

function placeAndTime({ airport, date, time }: LocalPoint): JourneyChange["departure"] {
  return { airport, date, time };
}
