import type { RequestedPassenger } from "../../contract/passenger-rules.ts";
import type { MinorUnits } from "../../travel/money.ts";
import type { Cabin, Flight, Offer } from "./offer.ts";

/** Offered or booked flights with their passengers, for seats and services. */
export interface Trip {
  /** ISO 4217, for every amount of the response. */
  readonly currency: string;
  readonly flights: readonly TripFlight[];
  readonly passengers: readonly RequestedPassenger[];
}

export interface TripFlight extends Flight {
  readonly segmentKey: string;
  readonly cabin: Cabin;
}

/** For one passenger. */
export interface ExtraPrice {
  readonly base: MinorUnits;
  readonly tax: MinorUnits;
}

export interface OfferedService {
  readonly type: "BAG" | "MEAL";
  /** Several entries may share it, one per price. */
  readonly code: string;
  readonly name: string;
  readonly segmentKeys: readonly string[];
  readonly passengerIds: readonly string[];
  readonly price: ExtraPrice;
}

/** On one deck, from front to back and from left to right. */
export interface CabinSeats {
  readonly segmentKey: string;
  readonly deck: string;
  /** `GAP` is an aisle. Position: window, centre or aisle. */
  readonly columns: readonly ("GAP" | { readonly name: string; readonly position: "W" | "C" | "A" })[];
  readonly wing: { readonly first: number; readonly last: number };
  /** Numbers that the aircraft leaves out are missing. */
  readonly rows: readonly SeatRow[];
}

export interface SeatRow {
  readonly number: number;
  readonly exists: boolean;
  readonly exit: boolean;
  readonly extraLegRoom: boolean;
  readonly seats: readonly Seat[];
}

export interface Seat {
  readonly column: string;
  readonly exists: boolean;
  readonly serviceable: boolean;
  readonly available: boolean;
  /** Null if it is free. */
  readonly price: ExtraPrice | null;
  readonly facilities: readonly string[];
}

/** An order to exchange for an offer. */
export interface Exchange {
  readonly offer: Offer;
  /** By type, for one passenger, in the currency of the offer. */
  readonly paid: readonly {
    readonly ptc: RequestedPassenger["ptc"];
    readonly base: MinorUnits;
    readonly tax: MinorUnits;
  }[];
  /** For one passenger, before departure; null if the airline states no fee. */
  readonly changeFee: MinorUnits | null;
}

/** For one passenger of a type, besides the difference of the fares. */
export interface ExchangeFee {
  readonly ptc: RequestedPassenger["ptc"];
  /** Null if the airline states none. */
  readonly fee: MinorUnits | null;
}
