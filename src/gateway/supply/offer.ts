import type { PassengerType } from "../../contract/passenger-rules.ts";
import type { MinorUnits } from "../../travel/money.ts";
import type { LocalTime } from "../local-time.ts";

/** Economy, premium economy, business, first. */
export const cabins = ["Y", "W", "C", "F"] as const;
export type Cabin = (typeof cabins)[number];

/** On one day. */
export interface Flight {
  /** Designator of the marketing carrier. */
  readonly carrier: string;
  /** Without padding. */
  readonly flightNumber: string;
  /** Null if the marketing carrier operates it. */
  readonly operatedBy: { readonly carrier: string; readonly flightNumber: string } | null;
  /** IATA codes. */
  readonly from: string;
  readonly to: string;
  /** Empty if there is none. */
  readonly fromTerminal: string;
  readonly toTerminal: string;
  /** Local to the airports. */
  readonly departure: LocalTime;
  readonly arrival: LocalTime;
  /** Real minutes. */
  readonly minutes: number;
  readonly miles: number;
  readonly aircraft: { readonly code: string; readonly name: string };
}

export interface OfferedFlight extends Flight {
  readonly cabin: Cabin;
  /** Booking class. */
  readonly rbd: string;
  readonly fareBasis: string;
  /** Tariff of the airline, such as 70J. */
  readonly fareCode: string;
  /** In the booking class, 1 to 9. */
  readonly seatsLeft: number;
}

/** Connecting flights under one brand. */
export interface OfferedJourney extends Pick<Flight, "from" | "to"> {
  readonly flights: readonly OfferedFlight[];
  /** From the first departure to the last arrival. */
  readonly minutes: number;
  readonly brand: Brand;
}

/** What a fare of an airline includes. */
export interface Brand {
  /** Unique per content: `LH-Y-LIGHT`. */
  readonly key: string;
  /** Such as LIGHT. */
  readonly code: string;
  readonly name: string;
  /** One sentence each. */
  readonly features: readonly { readonly code: string; readonly text: string }[];
  /** How many bags adults and children have each. */
  readonly bags: number;
  readonly bagsOfInfants: number;
}

export interface Tax {
  readonly code: string;
  readonly amount: MinorUnits;
}

/** For one type of passenger. */
export interface PassengerFare {
  readonly ptc: PassengerType;
  /** At least 1. */
  readonly quantity: number;
  /** The base fare of one passenger for all journeys. */
  readonly base: MinorUnits;
  /** The taxes of one passenger; one entry per code. */
  readonly taxes: readonly Tax[];
  /** The agency's, for one passenger. */
  readonly commission: MinorUnits;
  /** The agency's, on carrier surcharges. */
  readonly commissionOnSurcharges: MinorUnits;
}

/** For one passenger; null if the airline states none. */
export interface Fee {
  readonly before: MinorUnits | null;
  readonly after: MinorUnits | null;
}

/** For the passengers of the search. */
export interface Offer {
  /** The supply's own key, which the gateway never reads. */
  readonly key: string;
  /** The airline that issues the tickets. */
  readonly owner: string;
  /** ISO 4217, for every amount. */
  readonly currency: string;
  /** In the order of travel. */
  readonly journeys: readonly OfferedJourney[];
  /** One per type of passenger. */
  readonly fares: readonly PassengerFare[];
  readonly refundable: boolean;
  /** Whether it can be booked now and paid later. */
  readonly holdable: boolean;
  readonly passportRequired: boolean;
  readonly changeFee: Fee;
  readonly cancelFee: Fee;
  /** Whether each journey is a booking of its own, so that the offer can be split. */
  readonly bookedSeparately: boolean;
  /** The number of dearer brands for the same flights; 0 for a round trip. */
  readonly dearerBrands: number;
}

/** The fare rules of one journey. */
export interface FareRules {
  readonly airline: string;
  readonly fareCode: string;
  /** Without repetitions, in the order of the flights. */
  readonly fareBases: readonly string[];
  readonly from: string;
  readonly to: string;
  /** By topic of the contract; topics without a rule are missing. */
  readonly paragraphs: Readonly<Record<string, readonly string[]>>;
}
