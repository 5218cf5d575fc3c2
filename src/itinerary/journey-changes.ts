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

/** Facts that also apply to one origin and destination alone, under the same names. */
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

export type JourneyChangeFacts = Pick<ChangeFacts, JourneyChangeFactName>;

/**
 * What becomes of one booked origin and destination. Laws treat each separately: one may be domestic or leave from the
 * EU and another not, so facts of the whole order are not enough. Plain JSON, stored with decisions.
 */
export interface JourneyChange {
  /** The booked flights in order; never empty. */
  readonly flights: readonly BookedFlight[];
  /** Whether all of them are on one booking reference. Missing in changes of earlier versions. */
  readonly oneBooking?: Fact<boolean>;
  readonly departure: Pick<LocalPoint, "airport" | "date" | "time" | "isZoneContradicted">;
  readonly facts: JourneyChangeFacts;
}

export interface BookedFlight {
  readonly from: AirportInCountry;
  readonly to: AirportInCountry;
  /** IATA code; null if not stated. */
  readonly operatingCarrier: string | null;
  /** IATA code. Missing in changes of earlier versions. */
  readonly marketingCarrier?: string | null;
}

/** The country is ISO 3166-1 alpha-2; null is unknown. */
export interface AirportInCountry {
  readonly airport: string | null;
  readonly country: string | null;
}

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

function placeAndTime({ terminal: _, ...point }: LocalPoint): JourneyChange["departure"] {
  return point;
}
