import { airOfferPrice as contract } from "../../contract/operations/air-offer-price.ts";
import type { PassengerOfferQuery } from "../../contract/operations/offer-request.ts";
import { offerResponseHead } from "../extras/extras-response.ts";
import type { GatewayOperation } from "../operation.ts";
import { type FoundOffer, findOffers, priceNow, refuseOtherPassengers } from "../shopping/find-offer.ts";
import { newShoppingResponseId } from "../shopping/search-offers.ts";
import { showOffers } from "../shopping/show-offers.ts";
import { recordOfferCall, responseMetaDataOf } from "./offer-response.ts";

/** For the passengers under the keys of the request. */
export const airOfferPrice: GatewayOperation<PassengerOfferQuery> = {
  contract,

  async carryOut(context, { query, party }) {
    const found = await findOffers(context, query);
    const priced: FoundOffer[] = [];
    for (const entry of found) {
      refuseOtherPassengers(entry.response, query.passengers);
      priced.push(await priceNow(context, entry));
    }
    await recordOfferCall(context, contract.name);
    const { elements, dataLists } = showOffers(priced, query.passengers);
    return {
      [contract.responseRoot]: {
        ...offerResponseHead(party, query.shoppingResponseId),
        OfferResponseId: newShoppingResponseId(context.clock.now()),
        PricedOffer: elements,
        DataLists: dataLists,
        MetaData: responseMetaDataOf(query),
      },
    };
  },
};
