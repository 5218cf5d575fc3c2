import type { RequestedPassenger } from "../../contract/passenger-rules.ts";
import type { MinorUnits } from "../../travel/money.ts";
import type { Cabin, Flight, Offer } from "./offer.ts";

/** Who flies where, offered or booked: what seats and services are asked for. */
export interface Trip {
  /** ISO 4217, of every amount of the response. */
  readonly currency: string;
  readonly flights: readonly TripFlight[];
  readonly passengers: readonly RequestedPassenger[];
}

/** A flight of a trip. */
export interface TripFlight extends Flight {
  /** By which responses name it. */
  readonly segmentKey: string;
  readonly cabin: Cabin;
}

/** What a seat or a service costs one passenger. */
export interface ExtraPrice {
  readonly base: MinorUnits;
  readonly tax: MinorUnits;
}

/** A service that can be bought. */
export interface OfferedService {
  readonly type: "BAG" | "MEAL";
  /** What it is. Several entries may share it: one for each price. */
  readonly code: string;
  readonly name: string;
  readonly segmentKeys: readonly string[];
  readonly passengerIds: readonly string[];
  readonly price: ExtraPrice;
}

/** The cabin of one flight on one deck, from front to back and from left to right. */
export interface CabinSeats {
  readonly segmentKey: string;
  readonly deck: string;
  /** `GAP` is an aisle. Position: window, centre or aisle. */
  readonly columns: readonly ("GAP" | { readonly name: string; readonly position: "W" | "C" | "A" })[];
  readonly wing: { readonly first: number; readonly last: number };
  /** Consecutive numbers; one that the aircraft leaves out does not exist. */
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
  /** Null for a seat that costs nothing. */
  readonly price: ExtraPrice | null;
  readonly facilities: readonly string[];
}

/** An order that is to be exchanged for an offer. */
export interface Exchange {
  readonly offer: Offer;
  /** What was paid for one passenger of each type, in the currency of the offer. */
  readonly paid: readonly {
    readonly ptc: RequestedPassenger["ptc"];
    readonly base: MinorUnits;
    readonly tax: MinorUnits;
  }[];
  /** What the booked fare charges one passenger for a change before departure; null where the airline states no fee. */
  readonly changeFee: MinorUnits | null;
}

/** What an exchange costs one passenger of a type beside the difference of the fares. */
export interface ExchangeFee {
  readonly ptc: RequestedPassenger["ptc"];
  /** Null where the airline states none. */
  readonly fee: MinorUnits | null;
}
