import { airOfferSplit as contract } from "../../contract/operations/air-offer-split.ts";
import type { OfferQuery } from "../../contract/operations/offer-request.ts";
import { offerAnswerHead } from "../extras/extras-answer.ts";
import { type GatewayOperation, OperationRefusal } from "../operation.ts";
import { type FoundOffer, findOffers, findResponse } from "../shopping/find-offer.ts";
import { derivedOfferIds } from "../shopping/offer-ids.ts";
import { offersGroup, recordOfferCall, responseMetaDataOf } from "./offer-answer.ts";

/** One offer for each journey of an offer whose journeys are booked separately. Their prices add up to its price. */
export const airOfferSplit: GatewayOperation<OfferQuery> = {
  contract,

  async carryOut(context, { query, party }) {
    const response = await findResponse(context, query.shoppingResponseId);
    const found: FoundOffer[] = [];
    for (const entry of await findOffers(context, query)) {
      refuseSingleBooking(entry);
      const parts = await context.supply.split(entry.offer);
      const offerIds = derivedOfferIds(entry.offerId, "part", parts.length);
      found.push(...parts.map((offer, position) => ({ ...entry, offer, offerId: offerIds[position] ?? "" })));
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
function refuseSingleBooking({ offerId, offer }: FoundOffer): void {
  if (offer.bookedSeparately) return;
  const message = `The offer ${offerId} is one booking. Only an offer of several bookings can be split.`;
  throw new OperationRefusal("gateway.offer_not_divisible", 400, "12", message);
}
