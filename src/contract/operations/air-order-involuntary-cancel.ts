import { z } from "zod";
import { field } from "../element.ts";
import { involuntaryCancelResult } from "../elements/results.ts";
import { requestVersion, responseEnvelope } from "../envelope.ts";
import { exampleEnvelope, exampleInvoluntaryEnvelope } from "../examples/envelope.ts";
import { exampleOrderQuery } from "../examples/order-view.ts";
import { type InvoluntaryResult, readInvoluntaryResults } from "../involuntary-result.ts";
import type { Operation, OrderQuery } from "./operation.ts";
import { orderRequest, orderRequestSchema, readOrderRequest } from "./order-request.ts";
import { rooted } from "./rooted.ts";

const requestRoot = "OrderInvoluntaryCancelRQ";
const responseRoot = "OrderInvoluntaryCancelRS";

const requestSchema = orderRequestSchema(requestRoot);

const responseSchema = rooted(
  responseRoot,
  z.strictObject({
    ...responseEnvelope(requestVersion),
    Result: field(z.array(involuntaryCancelResult).min(1), "one entry for each booking", {
      section: "Result objects of other operations",
    }),
  }),
);

/**
 * Cancels the whole order because of what an airline changed, and asks for the refund. It cannot be undone and its
 * refund is known only from the answer, so it is never sent again on its own account.
 *
 * @see interface document, "Endpoints", /AirOrderInvoluntaryCancel
 */
export const airOrderInvoluntaryCancel: Operation<
  OrderQuery,
  readonly InvoluntaryResult[],
  z.infer<typeof requestSchema>,
  z.infer<typeof responseSchema>
> = {
  name: "AirOrderInvoluntaryCancel",
  path: "/AirOrderInvoluntaryCancel",
  summary: "Cancels a booking because of what an airline changed, for a refund.",
  requestRoot,
  responseRoot,
  readOnly: false,
  resendable: false,
  optionalService: false,
  host: "base",
  requestSchema,
  responseSchema,
  request: (query, envelope) => orderRequest(requestRoot, query, envelope),
  readRequest: (json) => readOrderRequest(requestRoot, json),
  interpret: (json) => readInvoluntaryResults(json, responseRoot),
  examples: {
    query: exampleOrderQuery,
    request: orderRequest(requestRoot, exampleOrderQuery, exampleEnvelope),
    response: {
      [responseRoot]: {
        ...exampleInvoluntaryEnvelope,
        Result: [
          {
            OrderID: exampleOrderQuery.orderId,
            GdsBookingReference: [...exampleOrderQuery.gdsBookingReferences],
            ErrorMsg: "",
            Status: "SUCCESS",
            RefundAmount: 486.66,
            RefundText: "Refund to the original form of payment",
            RefundPaxWiseFare: [{ TicketNumber: "2202100000001", Amount: 486.66 }],
          },
        ],
      },
    },
  },
};
