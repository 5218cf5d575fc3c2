import type { PassengerType } from "../../contract/passenger-rules.ts";
import type { CabinSeats, Exchange, ExchangeFee, OfferedService, Trip } from "./extras.ts";
import type { Cabin, FareRules, Offer } from "./offer.ts";

/** What is searched for. */
export interface ShoppingRequest {
  /** 1 to 6 ways, in the order of travel. */
  readonly journeys: readonly {
    /** IATA codes of airports. */
    readonly from: string;
    readonly to: string;
    /** Local date of departure, yyyy-mm-dd. */
    readonly date: string;
  }[];
  /** 1 to 9, held to the limits of the contract. */
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
 * Where flights, fares, seats and services come from: what the operator of a gateway implements to put real airlines
 * behind its operations. The gateway does the rest: identifiers, expiry, limits, orders, and the wire format, of which
 * nothing is known here.
 *
 * Amounts are whole minor units of the currency asked for. An offer that the supply gave out comes back to it as it was,
 * so the supply needs no memory of its own. A rejection becomes HTTP 500 with business code 10.
 */
export interface Supply {
  /** Currencies that it sells in, ISO 4217. */
  readonly currencies: readonly string[];
  /** Offers, best first; none when nothing flies. The same request at the same moment gives the same offers. */
  shop(request: ShoppingRequest, now: Date): Promise<readonly Offer[]>;
  /** The offer at its price now; null when it is sold out. */
  price(offer: Offer, now: Date): Promise<Offer | null>;
  /** The same flights under each dearer brand, cheapest first: `offer.dearerBrands` of them. */
  brandedVariants(offer: Offer): Promise<readonly Offer[]>;
  /** One offer for each journey of an offer that is booked separately. Their prices add up to the offer's. */
  split(offer: Offer): Promise<readonly Offer[]>;
  /** The rules of the fare of each journey, in order. */
  fareRules(offer: Offer): Promise<readonly FareRules[]>;
  /** The services that can be bought for a trip. */
  services(trip: Trip): Promise<readonly OfferedService[]>;
  /** The cabin of each flight of a trip, in order. */
  seatMaps(trip: Trip): Promise<readonly CabinSeats[]>;
  /** What an airline charges for the exchange of an order for an offer, for each type of passenger. */
  reshop(exchange: Exchange): Promise<readonly ExchangeFee[]>;
}
