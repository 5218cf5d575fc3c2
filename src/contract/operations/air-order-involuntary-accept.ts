import { z } from "zod";
import { documentSchema, partySchema } from "../envelope.ts";
import { acceptResultSchema, type InvoluntaryResult, readInvoluntaryResults } from "../involuntary-result.ts";
import type { Operation, OrderQuery } from "./operation.ts";
import { orderRequest, orderRequestSchema } from "./order-request.ts";

const requestRoot = "OrderInvoluntaryAcceptRQ";
const responseRoot = "OrderInvoluntaryAcceptRS";

/**
 * Accepts what an airline changed, for the whole order. It names only the order, so it accepts whatever is pending when
 * it arrives. Repeating it is right only for the same proposal, after the status has been read again.
 *
 * @see interface document, "Endpoints", /AirOrderInvoluntaryAccept
 */
export const airOrderInvoluntaryAccept: Operation<OrderQuery, readonly InvoluntaryResult[]> = {
  name: "AirOrderInvoluntaryAccept",
  path: "/AirOrderInvoluntaryAccept",
  requestRoot,
  responseRoot,
  readOnly: false,
  resendable: false,
  requestSchema: orderRequestSchema(requestRoot),
  responseSchema: z.strictObject({
    [responseRoot]: z.strictObject({
      Document: documentSchema,
      Party: partySchema,
      ShoppingResponseId: z.string().optional(),
      Success: z.strictObject({}),
      Result: z.array(acceptResultSchema).min(1),
    }),
  }),
  request: (query, envelope) => orderRequest(requestRoot, query, envelope),
  interpret: (json) => readInvoluntaryResults(json, responseRoot),
};
