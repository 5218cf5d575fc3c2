import { involuntaryAcceptResult } from "../elements/results.ts";
import { exampleInvoluntaryEnvelope } from "../examples/envelope.ts";
import { exampleOrderQuery } from "../examples/order-view.ts";
import { defineOperation } from "./define-operation.ts";
import { involuntaryResponses, involuntaryResultExample } from "./involuntary-response.ts";
import { orderRequests } from "./order-request.ts";

/**
 * Accepts what an airline changed, for the whole order. It names only the order, so it accepts whatever is pending when
 * it arrives. Repeating it is right only for the same proposal, after the status has been read again.
 *
 * @see interface document, "Endpoints", /AirOrderInvoluntaryAccept
 */
export const airOrderInvoluntaryAccept = defineOperation({
  name: "AirOrderInvoluntaryAccept",
  summary: "Accepts what an airline changed: cancellations, delays, new times and flights.",
  readOnly: false,
  ...orderRequests("OrderInvoluntaryAcceptRQ"),
  ...involuntaryResponses("OrderInvoluntaryAcceptRS", involuntaryAcceptResult),
  example: {
    query: exampleOrderQuery,
    response: { OrderInvoluntaryAcceptRS: { ...exampleInvoluntaryEnvelope, Result: [involuntaryResultExample] } },
  },
});
