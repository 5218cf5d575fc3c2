import { involuntaryCancelResult } from "../elements/results.ts";
import { exampleInvoluntaryEnvelope } from "../examples/envelope.ts";
import { exampleOrderQuery } from "../examples/order-view.ts";
import { defineOperation } from "./define-operation.ts";
import { involuntaryResponses, involuntaryResultExample } from "./involuntary-response.ts";
import { orderRequests } from "./order-request.ts";

/**
 * Cancels the whole order because of what an airline changed, and asks for the refund. It cannot be undone and its
 * refund is known only from the response, so it is never sent again on its own account.
 *
 * @see interface document, "Endpoints", /AirOrderInvoluntaryCancel
 */
export const airOrderInvoluntaryCancel = defineOperation({
  name: "AirOrderInvoluntaryCancel",
  summary: "Cancels a booking because of what an airline changed, for a refund.",
  readOnly: false,
  ...orderRequests("OrderInvoluntaryCancelRQ"),
  ...involuntaryResponses("OrderInvoluntaryCancelRS", involuntaryCancelResult),
  example: {
    query: exampleOrderQuery,
    response: {
      OrderInvoluntaryCancelRS: {
        ...exampleInvoluntaryEnvelope,
        Result: [
          {
            ...involuntaryResultExample,
            RefundAmount: 486.66,
            RefundText: "Refund to the original form of payment",
            RefundPaxWiseFare: [{ TicketNumber: "2202100000001", Amount: 486.66 }],
          },
        ],
      },
    },
  },
});
