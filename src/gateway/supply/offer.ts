import type { PassengerType } from "../../contract/passenger-rules.ts";
import type { MinorUnits } from "../../travel/money.ts";
import type { LocalTime } from "../local-time.ts";

/** Economy, premium economy, business, first. */
export const cabins = ["Y", "W", "C", "F"] as const;
export type Cabin = (typeof cabins)[number];

/** One flight on one day. */
export interface Flight {
  /** Airline designator of the airline that sells it. */
  readonly carrier: string;
  /** Without padding. */
  readonly flightNumber: string;
  /** Null when the selling airline flies it. */
  readonly operatedBy: { readonly carrier: string; readonly flightNumber: string } | null;
  /** IATA codes of airports. */
  readonly from: string;
  readonly to: string;
  /** Empty when there is none. */
  readonly fromTerminal: string;
  readonly toTerminal: string;
  /** On the clocks of the airports. */
  readonly departure: LocalTime;
  readonly arrival: LocalTime;
  /** Minutes that really pass. */
  readonly minutes: number;
  readonly miles: number;
  readonly aircraft: { readonly code: string; readonly name: string };
}

/** A flight at a fare. */
export interface OfferedFlight extends Flight {
  readonly cabin: Cabin;
  /** Booking class. */
  readonly rbd: string;
  readonly fareBasis: string;
  /** Tariff of the airline, such as 70J. */
  readonly fareCode: string;
  /** Seats left in the booking class, 1 to 9. */
  readonly seatsLeft: number;
}

/** One way of a trip: connecting flights under one brand. */
export interface OfferedJourney {
  readonly from: string;
  readonly to: string;
  readonly flights: readonly OfferedFlight[];
  /** Time from the first departure to the last arrival. */
  readonly minutes: number;
  readonly brand: Brand;
}

/** What a fare of an airline includes. */
export interface Brand {
  /** Unique for each content: `LH-Y-LIGHT`. */
  readonly key: string;
  /** Such as LIGHT. */
  readonly code: string;
  readonly name: string;
  /** One sentence each. */
  readonly features: readonly { readonly code: string; readonly text: string }[];
  /** Checked bags of adults and children. */
  readonly bags: number;
  readonly bagsOfInfants: number;
}

/** An amount and what it is charged for. */
export interface Tax {
  readonly code: string;
  readonly amount: MinorUnits;
}

/** What each passenger of one type pays. */
export interface PassengerFare {
  readonly ptc: PassengerType;
  /** Number of these passengers, at least 1. */
  readonly quantity: number;
  /** Of one passenger, for all journeys. */
  readonly base: MinorUnits;
  /** Of one passenger; one entry for each code. */
  readonly taxes: readonly Tax[];
  /** What the agency earns with one passenger. */
  readonly commission: MinorUnits;
  /** What it earns on carrier surcharges. */
  readonly commissionOnSurcharges: MinorUnits;
}

/** A fee before and after departure for one passenger; null where the airline states none. */
export interface Fee {
  readonly before: MinorUnits | null;
  readonly after: MinorUnits | null;
}

/** Flights at a price, for the passengers that were shopped for. */
export interface Offer {
  /** By which the supply knows it; the gateway never reads it. */
  readonly key: string;
  /** The airline that issues the tickets. */
  readonly owner: string;
  /** ISO 4217, of every amount. */
  readonly currency: string;
  /** In the order of travel. */
  readonly journeys: readonly OfferedJourney[];
  /** One for each type of passenger that travels. */
  readonly fares: readonly PassengerFare[];
  readonly refundable: boolean;
  /** Whether it may be booked now and paid later. */
  readonly holdable: boolean;
  readonly passportRequired: boolean;
  readonly changeFee: Fee;
  readonly cancelFee: Fee;
  /** Whether each journey becomes a booking of its own, so that the offer can be split. */
  readonly bookedSeparately: boolean;
  /** How many dearer brands the same flights are sold under; always 0 for a round trip. */
  readonly dearerBrands: number;
}

/** The rules of the fare of one journey. */
export interface FareRules {
  readonly airline: string;
  readonly fareCode: string;
  /** Without repetitions, in the order of the flights. */
  readonly fareBases: readonly string[];
  readonly from: string;
  readonly to: string;
  /** Paragraphs by topic. Topics are those of the contract; one without a rule is left out. */
  readonly paragraphs: Readonly<Record<string, readonly string[]>>;
}
