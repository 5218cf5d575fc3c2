import { isRecord } from "../../kernel/record.ts";
import { member } from "../lenient-value.ts";
import { readNumberedTicketDocuments } from "../read-data-lists.ts";
import { readStatedView } from "../stated-view.ts";
import type { TicketDocuments } from "../ticket-documents.ts";
import { defineOperation } from "./define-operation.ts";
import type { Interpretation } from "./operation.ts";
import { orderRequests } from "./order-request.ts";
import { orderViewResponses } from "./order-view-response.ts";

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
  const documents = readNumberedTicketDocuments(readStatedView(isRecord(wrapped) ? wrapped : json));
  return { ok: true, result: { view: read.result, documents } };
}
