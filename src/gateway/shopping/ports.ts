import type { Offer } from "../supply/offer.ts";
import type { ShoppingRequest } from "../supply/supply.ts";

export interface ShoppingResponse {
  /** 19 digits. */
  readonly shoppingResponseId: string;
  readonly request: ShoppingRequest;
  /** For the OfferIDs see `offerIdOf`. */
  readonly offers: readonly Offer[];
  readonly createdAt: Date;
  /** The last second in which the offers can be used. */
  readonly expiresAt: Date;
}

/** Keeps shopping responses for a day after they expired. Each method is one transaction. */
export interface ShoppingStore {
  /** Also removes those that expired more than a day before. False if the id is taken. */
  addResponse(response: ShoppingResponse): Promise<boolean>;
  /** Also an expired one. */
  readResponse(shoppingResponseId: string): Promise<ShoppingResponse | null>;
}
