import { z } from "zod";
import { documentSchema, partySchema } from "../envelope.ts";
import { cancelResultSchema, type InvoluntaryResult, readInvoluntaryResults } from "../involuntary-result.ts";
import type { Operation, OrderQuery } from "./operation.ts";
import { orderRequest, orderRequestSchema } from "./order-request.ts";

const requestRoot = "OrderInvoluntaryCancelRQ";
const responseRoot = "OrderInvoluntaryCancelRS";

/**
 * Cancels the whole order because of what an airline changed, and asks for the refund. It cannot be undone and its
 * refund is known only from the answer, so it is never sent again on its own account.
 *
 * @see interface document, "Endpoints", /AirOrderInvoluntaryCancel
 */
export const airOrderInvoluntaryCancel: Operation<OrderQuery, readonly InvoluntaryResult[]> = {
  name: "AirOrderInvoluntaryCancel",
  path: "/AirOrderInvoluntaryCancel",
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
      Result: z.array(cancelResultSchema).min(1),
    }),
  }),
  request: (query, envelope) => orderRequest(requestRoot, query, envelope),
  interpret: (json) => readInvoluntaryResults(json, responseRoot),
};
