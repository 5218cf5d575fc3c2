import { exampleOrderQuery, ticketDocumentsExample } from "../examples/order-view.ts";
import { isRecord, member } from "../lenient-value.ts";
import type { OrderView } from "../order-view.ts";
import { type NumberedTicketDocument, readNumberedTicketDocuments } from "../read-data-lists.ts";
import { defineOperation } from "./define-operation.ts";
import type { Interpretation } from "./operation.ts";
import { orderRequests } from "./order-request.ts";
import { orderViewAnswers } from "./order-view-answer.ts";

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
export const airDocRetreive = defineOperation({
  name: "AirDocRetreive",
  summary: "Reads the ticket documents of an order.",
  readOnly: true,
  ...orderRequests("AirDocRetreiveRQ"),
  ...orderViewAnswers,
  interpret: interpretDocuments,
  example: { query: exampleOrderQuery, response: ticketDocumentsExample },
});

function interpretDocuments(json: unknown): Interpretation<TicketDocuments> {
  const read = orderViewAnswers.interpret(json);
  if (!read.ok) return read;
  const wrapped = member(json, orderViewAnswers.responseRoot);
  const documents = readNumberedTicketDocuments(isRecord(wrapped) ? wrapped : json);
  return { ok: true, answer: { view: read.answer, documents } };
}
