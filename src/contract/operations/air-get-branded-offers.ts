import { defineOperation } from "./define-operation.ts";
import { offerRequests } from "./offer-request.ts";
import { offersGroupResponses } from "./offers-group-response.ts";

/**
 * Lists the branded variants of an offer, which cost more than the basic fare. Applies only to one-way and multi-city
 * offers, which a gateway checks with `canHaveBrandedOffers`.
 * @see interface document, "Endpoints", /AirGetBrandedOffers
 */
export const airGetBrandedOffers = defineOperation({
  name: "AirGetBrandedOffers",
  summary: "Lists the branded variants of a one-way or multi-city offer.",
  readOnly: true,
  optionalService: true,
  ...offerRequests("GetBrandedOffersRQ"),
  ...offersGroupResponses("GetBrandedOffersRS"),
});
