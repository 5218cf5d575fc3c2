import type { z } from "zod";
import { exampleEnvelope } from "../examples/envelope.ts";
import { exampleOrderQuery, ticketDocumentsExample } from "../examples/order-view.ts";
import { isRecord, member } from "../lenient-value.ts";
import type { OrderView } from "../order-view.ts";
import { orderViewResponseSchema } from "../order-view-schema.ts";
import { type NumberedTicketDocument, readNumberedTicketDocuments } from "../read-data-lists.ts";
import { interpretOrderView } from "./interpret-order-view.ts";
import type { Interpretation, Operation, OrderQuery } from "./operation.ts";
import { orderRequest, orderRequestSchema, readOrderRequest } from "./order-request.ts";

const requestRoot = "AirDocRetreiveRQ";
const responseRoot = "OrderViewRS";

const requestSchema = orderRequestSchema(requestRoot);

/** What AirDocRetreive answers. There may be more documents than passengers, and fewer. */
export interface TicketDocuments {
  readonly view: OrderView;
  readonly documents: readonly NumberedTicketDocument[];
}

/**
 * Reads the ticket documents of an order. The spelling is the gateway's.
 *
 * @see interface document, "Endpoints", /AirDocRetreive
 */
export const airDocRetreive: Operation<
  OrderQuery,
  TicketDocuments,
  z.infer<typeof requestSchema>,
  z.infer<typeof orderViewResponseSchema>
> = {
  name: "AirDocRetreive",
  path: "/AirDocRetreive",
  summary: "Reads the ticket documents of an order.",
  requestRoot,
  responseRoot,
  readOnly: true,
  resendable: true,
  optionalService: false,
  host: "base",
  requestSchema,
  responseSchema: orderViewResponseSchema,
  request: (query, envelope) => orderRequest(requestRoot, query, envelope),
  readRequest: (json) => readOrderRequest(requestRoot, json),
  interpret: interpretDocuments,
  examples: {
    query: exampleOrderQuery,
    request: orderRequest(requestRoot, exampleOrderQuery, exampleEnvelope),
    response: ticketDocumentsExample,
  },
};

function interpretDocuments(json: unknown): Interpretation<TicketDocuments> {
  const read = interpretOrderView(json);
  if (!read.ok) return read;
  const wrapped = member(json, responseRoot);
  const documents = readNumberedTicketDocuments(isRecord(wrapped) ? wrapped : json);
  return { ok: true, answer: { view: read.answer, documents } };
}
