import type { Fact } from "../kernel/fact.ts";

/** How a fact is typed in policy expressions. */
type FactType = "int" | "bool" | "list<string>";

interface FactDefinition {
  readonly type: FactType;
  /** What it means, in the words that policies and the dashboard show. Units are in the name. */
  readonly description: string;
}

/**
 * Every fact a policy can ask for. Unless it says otherwise, a fact compares the booked itinerary with the proposed one
 * and looks at every flight of the order; minutes are differences of instants, so time zones and daylight saving are
 * taken into account. "Earlier" and "later" facts are never negative: 0 means not moved that way.
 */
export const factCatalogue = {
  minutesToDeparture: {
    type: "int",
    description:
      "Minutes from now to the first departure not yet flown, booked or proposed, whichever is earlier. Negative once it has left.",
  },
  ticketed: { type: "bool", description: "Whether tickets are issued." },
  passengerCount: { type: "int", description: "Number of passengers, infants included." },
  hasInfant: { type: "bool", description: "Whether an infant travels." },
  unaccompaniedMinor: { type: "bool", description: "Whether only children travel, with no adult." },
  assistanceRequested: { type: "bool", description: "Whether a passenger has stated a need for a wheelchair." },

  changedFlightCount: {
    type: "int",
    description: "Number of booked flights that are retimed, replaced, removed or changed in any other way.",
  },
  cancelled: {
    type: "bool",
    description: "Whether every flight of at least one origin and destination is withdrawn with nothing in its place.",
  },
  partiallyCancelled: {
    type: "bool",
    description: "Whether an origin and destination is withdrawn while another remains.",
  },
  replaced: {
    type: "bool",
    description:
      "Whether a booked flight is replaced by several flights, or by one under another carrier, number or airport.",
  },
  retimedOnly: {
    type: "bool",
    description:
      "Whether times are all that differs: same flights, numbers, carriers, airports, cabins and booking classes.",
  },
  flightNumberOnly: { type: "bool", description: "Whether flight numbers are all that differs." },

  departureEarlierMinutes: { type: "int", description: "Largest move of a departure to an earlier instant." },
  departureLaterMinutes: { type: "int", description: "Largest move of a departure to a later instant." },
  arrivalEarlierMinutes: { type: "int", description: "Largest move of an arrival to an earlier instant." },
  arrivalLaterMinutes: { type: "int", description: "Largest move of an arrival to a later instant." },
  journeyDepartureEarlierMinutes: {
    type: "int",
    description: "Largest move of the departure from an origin to an earlier instant.",
  },
  journeyArrivalLaterMinutes: {
    type: "int",
    description: "Largest move of the arrival at a destination to a later instant.",
  },
  sinceAcceptedDepartureEarlierMinutes: {
    type: "int",
    description: "As departureEarlierMinutes, measured from the itinerary accepted last.",
  },
  sinceAcceptedDepartureLaterMinutes: {
    type: "int",
    description: "As departureLaterMinutes, measured from the itinerary accepted last.",
  },
  dateChanged: { type: "bool", description: "Whether a flight leaves or arrives on another local date." },
  timeAmbiguous: {
    type: "bool",
    description: "Whether a local time falls into an hour that occurs twice or never at its airport.",
  },

  airportChanged: { type: "bool", description: "Whether a flight leaves from or arrives at another airport." },
  terminalChanged: { type: "bool", description: "Whether a stated terminal is replaced by another stated one." },
  flightNumberChanged: { type: "bool", description: "Whether a marketing flight number changed." },
  marketingCarrierChanged: { type: "bool", description: "Whether a marketing carrier changed." },
  operatingCarrierChanged: {
    type: "bool",
    description: "Whether an operating carrier changed; none stated means the marketing carrier operates.",
  },
  aircraftChanged: { type: "bool", description: "Whether a stated aircraft is replaced by another stated one." },
  stopsAdded: { type: "bool", description: "Whether a flight has more intermediate stops." },
  connectionsAdded: { type: "bool", description: "Whether an origin and destination has more connection points." },
  connectingAirports: { type: "list<string>", description: "Airports at which the proposed journey changes flights." },

  hasConnection: {
    type: "bool",
    description: "Whether the proposed journey changes flights anywhere within 24 hours.",
  },
  shortestConnectionMinutes: {
    type: "int",
    description:
      "Shortest time between an arrival and the next departure of the same origin and destination. Very large when there is no connection.",
  },
  connectionBroken: {
    type: "bool",
    description:
      "Whether a connection is shorter than the minimum connecting time, or leaves from another airport. Not broken when it is no shorter than booked at the same terminals.",
  },

  dataSuspect: {
    type: "bool",
    description:
      "Whether the merged itinerary is impossible: it arrives before it leaves, is too fast, or does not chain.",
  },
} as const satisfies Record<string, FactDefinition>;

export type FactName = keyof typeof factCatalogue;

type ValueOf<T extends FactType> = T extends "int" ? number : T extends "bool" ? boolean : readonly string[];

/** The facts of one proposal, each known or unknown with its reason. Plain JSON: stored with every decision. */
export type ChangeFacts = {
  readonly [Name in FactName]: Fact<ValueOf<(typeof factCatalogue)[Name]["type"]>>;
};
