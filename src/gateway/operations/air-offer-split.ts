import { airOfferSplit as contract } from "../../contract/operations/air-offer-split.ts";
import { OperationRefusal } from "../operation.ts";
import type { FoundOffer } from "../shopping/find-offer.ts";
import { derivedOffers, derivedOffersOperation } from "./offer-response.ts";

/** One offer per journey. Their prices add up to that of the offer. */
export const airOfferSplit = derivedOffersOperation(contract, async ({ supply }, found) => {
  refuseSingleBooking(found);
  return derivedOffers(found, "part", await supply.split(found.offer));
});

/** 12 is INVAILD_TRIP in the gateway's table. */
function refuseSingleBooking({ offerId, offer }: FoundOffer): void {
  if (offer.bookedSeparately) return;
  const message = `The offer ${offerId} is one booking. Only an offer of several bookings can be split.`;
  throw new OperationRefusal("gateway.offer_not_divisible", message, { httpStatus: 400, gatewayCode: "12" });
}
