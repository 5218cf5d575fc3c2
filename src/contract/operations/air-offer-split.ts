import { defineOperation } from "./define-operation.ts";
import { offerRequests } from "./offer-request.ts";
import { offersGroupResponses } from "./offers-group-response.ts";

/**
 * Splits an offer that becomes several bookings into one-way offers. The roots name the words of the path in another
 * order.
 * @see interface document, "Endpoints", /AirOfferSplit
 */
export const airOfferSplit = defineOperation({
  name: "AirOfferSplit",
  summary: "Splits a multi-booking offer into single one-way offers.",
  readOnly: true,
  optionalService: true,
  ...offerRequests("AirSplitOfferRQ"),
  ...offersGroupResponses("AirSplitOfferRS"),
});
