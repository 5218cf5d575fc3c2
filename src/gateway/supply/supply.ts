import type { PassengerType } from "../../contract/passenger-rules.ts";
import type { CabinSeats, Exchange, ExchangeFee, OfferedService, Trip } from "./extras.ts";
import type { FixedOutcome } from "./fixed-routes.ts";
import type { Cabin, FareRules, Offer } from "./offer.ts";

export interface ShoppingRequest {
  /** 1 to 6, in the order of travel. */
  readonly journeys: readonly {
    /** IATA codes. */
    readonly from: string;
    readonly to: string;
    /** Local date of departure, yyyy-mm-dd. */
    readonly date: string;
  }[];
  /** 1 to 9, within the limits of the contract. */
  readonly passengers: readonly PassengerType[];
  readonly cabin: Cabin;
  /** Only offers of this airline; null for any. */
  readonly owner: string | null;
  /** ISO 4217. */
  readonly currency: string;
  /** Most offers of the response. */
  readonly limit: number;
}

/**
 * The source of flights, fares, seats and services: implement it to put real airlines behind the gateway. The gateway
 * adds identifiers, expiry, limits, orders and the wire format.
 * Amounts are whole minor units of the requested currency. An offer of the supply comes back unchanged, so the supply
 * needs no memory. A rejection becomes HTTP 500 with business code 10.
 */
export interface Supply {
  /** ISO 4217. */
  readonly currencies: readonly string[];
  /** Best first; empty if nothing flies. The same request at the same moment gives the same offers. */
  shop(request: ShoppingRequest, now: Date): Promise<readonly Offer[]>;
  /** Null if it is sold out. */
  price(offer: Offer, now: Date): Promise<Offer | null>;
  /** Under each dearer brand, cheapest first: `offer.dearerBrands` of them. */
  brandedVariants(offer: Offer): Promise<readonly Offer[]>;
  /** One offer per journey of an offer that is booked separately. Their prices add up to the offer's. */
  split(offer: Offer): Promise<readonly Offer[]>;
  /** One per journey, in order. */
  fareRules(offer: Offer): Promise<readonly FareRules[]>;
  services(trip: Trip): Promise<readonly OfferedService[]>;
  /** One per flight, in order. */
  seatMaps(trip: Trip): Promise<readonly CabinSeats[]>;
  /** The fees of an exchange, by type of passenger. */
  reshop(exchange: Exchange): Promise<readonly ExchangeFee[]>;
  /** What always happens to a one-way trip on a route; only a simulated supply has such routes. */
  fixedOutcome?(journeys: readonly { readonly from: string; readonly to: string }[]): FixedOutcome | null;
}
