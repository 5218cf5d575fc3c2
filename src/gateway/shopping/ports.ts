import type { Offer } from "../supply/offer.ts";
import type { ShoppingRequest } from "../supply/supply.ts";

/** The offers of one search. */
export interface ShoppingResponse {
  /** 19 digits. */
  readonly shoppingResponseId: string;
  readonly request: ShoppingRequest;
  /** The offer at position n has the OfferID that `offerIdOf` gives for n. */
  readonly offers: readonly Offer[];
  readonly createdAt: Date;
  /** After this second neither the response nor its offers can be used. */
  readonly expiresAt: Date;
}

/** Where shopping responses are kept until some time after they expired. Each method is one transaction. */
export interface ShoppingStore {
  /** Adds a response, and removes those that expired more than a day before it was made. False when the id is taken. */
  addResponse(response: ShoppingResponse): Promise<boolean>;
  /** Also one that has expired; null when there is none. */
  readResponse(shoppingResponseId: string): Promise<ShoppingResponse | null>;
}
