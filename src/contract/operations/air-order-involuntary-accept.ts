import { involuntaryAcceptResult } from "../elements/results.ts";
import { defineOperation } from "./define-operation.ts";
import { involuntaryResponses } from "./involuntary-response.ts";
import { orderRequests } from "./order-request.ts";

/**
 * Accepts the airline's change of a whole order. The request names only the order, so it accepts whatever is pending
 * when it arrives. Resend it only for the same proposal, after reading the status again.
 * @see interface document, "Endpoints", /AirOrderInvoluntaryAccept
 */
export const airOrderInvoluntaryAccept = defineOperation({
  name: "AirOrderInvoluntaryAccept",
  summary: "Accepts what an airline changed: cancellations, delays, new times and flights.",
  readOnly: false,
  ...orderRequests("OrderInvoluntaryAcceptRQ"),
  ...involuntaryResponses("OrderInvoluntaryAcceptRS", involuntaryAcceptResult),
});
