import { airGetBrandedOffers as contract } from "../../contract/operations/air-get-branded-offers.ts";
import { canHaveBrandedOffers } from "../../contract/trip-kind.ts";
import { OperationRefusal } from "../operation.ts";
import type { FoundOffer } from "../shopping/find-offer.ts";
import { derivedOffers, derivedOffersOperation } from "./offer-response.ts";

/** Returns each offer, followed by the same flights under dearer brands. Round trips have none. */
export const airGetBrandedOffers = derivedOffersOperation(contract, async ({ supply }, found) => {
  refuseRoundTrip(found);
  return [found, ...derivedOffers(found, "variant", await supply.brandedVariants(found.offer))];
});

/** 12 is INVAILD_TRIP in the gateway's table. */
function refuseRoundTrip({ offerId, offer }: FoundOffer): void {
  if (canHaveBrandedOffers(offer.journeys.map(({ from, to }) => ({ departureCode: from, arrivalCode: to })))) return;
  const message = `The offer ${offerId} is a round trip. Branded offers exist for one-way and multi-city offers.`;
  throw new OperationRefusal("gateway.no_branded_offers", message, { httpStatus: 400, gatewayCode: "12" });
}
