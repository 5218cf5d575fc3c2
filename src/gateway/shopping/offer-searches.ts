import { AppError } from "../../kernel/app-error.ts";
import type { Logger } from "../../telemetry/logger.ts";
import type { ShoppingRequest } from "../supply/supply.ts";
import type { ShoppingContext } from "./find-offer.ts";
import type { ShoppingResponse } from "./ports.ts";
import { noShoppingResponse, searchOffers } from "./search-offers.ts";

/** Stands in for the search of an agency. */
export interface OfferSearches {
  /** @throws AppError `gateway.invalid_search` */
  search(request: ShoppingRequest): Promise<ShoppingResponse>;
  /** Also an expired one. @throws AppError `gateway.shopping_response_not_found` */
  read(shoppingResponseId: string): Promise<ShoppingResponse>;
}

export function createOfferSearches(options: ShoppingContext & { readonly logger: Logger }): OfferSearches {
  return {
    search: (request) => searchOffers(options, request),
    async read(shoppingResponseId) {
      const response = await options.shopping.readResponse(shoppingResponseId);
      if (response !== null) return response;
      throw new AppError(noShoppingResponse, `There is no shopping response ${shoppingResponseId}. Search again.`);
    },
  };
}
