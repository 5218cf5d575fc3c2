import { airGetBrandedOffers as contract } from "../../contract/operations/air-get-branded-offers.ts";
import type { OfferQuery } from "../../contract/operations/offer-request.ts";
import { canHaveBrandedOffers } from "../../contract/trip-kind.ts";
import { offerAnswerHead } from "../extras/extras-answer.ts";
import { type GatewayOperation, OperationRefusal } from "../operation.ts";
import { type FoundOffer, findOffers, findResponse } from "../shopping/find-offer.ts";
import { derivedOfferIds } from "../shopping/offer-ids.ts";
import { offersGroup, recordOfferCall, responseMetaDataOf } from "./offer-answer.ts";

/** Each offer of the request, followed by the same flights under dearer brands. Round trips have none. */
export const airGetBrandedOffers: GatewayOperation<OfferQuery> = {
  contract,

  async carryOut(context, { query, party }) {
    const response = await findResponse(context, query.shoppingResponseId);
    const found: FoundOffer[] = [];
    for (const entry of await findOffers(context, query)) {
      refuseRoundTrip(entry);
      const variants = await context.supply.brandedVariants(entry.offer);
      const offerIds = derivedOfferIds(entry.offerId, "variant", variants.length);
      found.push(entry, ...variants.map((offer, position) => ({ ...entry, offer, offerId: offerIds[position] ?? "" })));
    }
    await recordOfferCall(context, contract.name);
    return {
      [contract.responseRoot]: {
        ...offerAnswerHead(party, query.shoppingResponseId),
        ...offersGroup(response, found),
        MetaData: responseMetaDataOf(query),
      },
    };
  },
};

/** 12 is INVAILD_TRIP in the gateway's table of business codes. */
function refuseRoundTrip({ offerId, offer }: FoundOffer): void {
  if (canHaveBrandedOffers(offer.journeys.map(({ from, to }) => ({ departureCode: from, arrivalCode: to })))) return;
  const message = `The offer ${offerId} is a round trip. Branded offers exist for one-way and multi-city offers.`;
  throw new OperationRefusal("gateway.no_branded_offers", 400, "12", message);
}
