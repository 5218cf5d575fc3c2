import { z } from "zod";
import { field } from "../element.ts";
import { involuntaryAcceptResult } from "../elements/results.ts";
import { requestVersion, responseEnvelope } from "../envelope.ts";
import { exampleEnvelope, exampleInvoluntaryEnvelope } from "../examples/envelope.ts";
import { exampleOrderQuery } from "../examples/order-view.ts";
import { type InvoluntaryResult, readInvoluntaryResults } from "../involuntary-result.ts";
import type { Operation, OrderQuery } from "./operation.ts";
import { orderRequest, orderRequestSchema, readOrderRequest } from "./order-request.ts";
import { rooted } from "./rooted.ts";

const requestRoot = "OrderInvoluntaryAcceptRQ";
const responseRoot = "OrderInvoluntaryAcceptRS";

const requestSchema = orderRequestSchema(requestRoot);

const responseSchema = rooted(
  responseRoot,
  z.strictObject({
    ...responseEnvelope(requestVersion),
    Result: field(z.array(involuntaryAcceptResult).min(1), "one entry for each booking", {
      section: "Result objects of other operations",
    }),
  }),
);

/**
 * Accepts what an airline changed, for the whole order. It names only the order, so it accepts whatever is pending when
 * it arrives. Repeating it is right only for the same proposal, after the status has been read again.
 *
 * @see interface document, "Endpoints", /AirOrderInvoluntaryAccept
 */
export const airOrderInvoluntaryAccept: Operation<
  OrderQuery,
  readonly InvoluntaryResult[],
  z.infer<typeof requestSchema>,
  z.infer<typeof responseSchema>
> = {
  name: "AirOrderInvoluntaryAccept",
  path: "/AirOrderInvoluntaryAccept",
  summary: "Accepts what an airline changed: cancellations, delays, new times and flights.",
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
          },
        ],
      },
    },
  },
};
