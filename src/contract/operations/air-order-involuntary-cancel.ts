import { involuntaryCancelResult } from "../elements/results.ts";
import { defineOperation } from "./define-operation.ts";
import { involuntaryResponses } from "./involuntary-response.ts";
import { orderRequests } from "./order-request.ts";

/**
 * Cancels a whole order because of the airline's change, and asks for the refund. It cannot be undone, and only the
 * response states the refund, so it is never resent automatically.
 * @see interface document, "Endpoints", /AirOrderInvoluntaryCancel
 */
export const airOrderInvoluntaryCancel = defineOperation({
  name: "AirOrderInvoluntaryCancel",
  summary: "Cancels a booking because of what an airline changed, for a refund.",
  readOnly: false,
  ...orderRequests("OrderInvoluntaryCancelRQ"),
  ...involuntaryResponses("OrderInvoluntaryCancelRS", involuntaryCancelResult),
});
