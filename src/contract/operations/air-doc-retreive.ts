import { isRecord } from "../../kernel/record.ts";
import { member } from "../lenient-value.ts";
import type { OrderView } from "../order-view.ts";
import { type NumberedTicketDocument, readNumberedTicketDocuments } from "../read-data-lists.ts";
import { defineOperation } from "./define-operation.ts";
import type { Interpretation } from "./operation.ts";
import { orderRequests } from "./order-request.ts";
import { orderViewResponses } from "./order-view-response.ts";

/** There may be more documents than passengers, or fewer. */
export interface TicketDocuments {
  readonly view: OrderView;
  readonly documents: readonly NumberedTicketDocument[];
}

/** The spelling is the gateway's. @see interface document, "Endpoints", /AirDocRetreive */
export const airDocRetreive = defineOperation({
  name: "AirDocRetreive",
  summary: "Reads the ticket documents of an order.",
  readOnly: true,
  ...orderRequests("AirDocRetreiveRQ"),
  ...orderViewResponses,
  interpret: interpretDocuments,
});

function interpretDocuments(json: unknown): Interpretation<TicketDocuments> {
  const read = orderViewResponses.interpret(json);
  if (!read.ok) return read;
  const wrapped = member(json, orderViewResponses.responseRoot);
  const documents = readNumberedTicketDocuments(isRecord(wrapped) ? wrapped : json);
  return { ok: true, result: { view: read.result, documents } };
}
