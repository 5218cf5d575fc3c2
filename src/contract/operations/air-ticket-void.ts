import { z } from "zod";
import { isRecord } from "../../kernel/record.ts";
import { field } from "../element.ts";
import { reference, yesNo } from "../elements/codes.ts";
import { voidResult } from "../elements/results.ts";
import { type Envelope, responseEnvelope, responseVersion } from "../envelope.ts";
import { readErrors } from "../gateway-errors.ts";
import { listOf, member, memberAt, memberOf, referencesOf, textOf } from "../lenient-value.ts";
import { bookingStatusOf, type ResultStatus, resultStatusOf } from "../result-status.ts";
import { defineOperation } from "./define-operation.ts";
import type { Interpretation, OrderQuery } from "./operation.ts";
import { unusable } from "./operation-response.ts";
import { orderQuerySchema, orderRequest, orderRequestSchema, readOrderQuery } from "./order-request.ts";
import { refuseRequest, requestReader } from "./request-reader.ts";
import { rooted } from "./rooted.ts";

const requestRoot = "AirTicketVoidRQ";
const responseRoot = "AirTicketVoidRS";

export interface VoidQuery extends OrderQuery {
  readonly ticketNumbers: readonly string[];
  /** Whether to cancel the itinerary, too. Default: false. */
  readonly needToCancelBooking?: boolean;
}

export interface VoidResult {
  /** The result for all tickets together. */
  readonly status: ResultStatus;
  /** Empty on success. */
  readonly errorMessage: string;
  readonly tickets: readonly VoidedTicket[];
  readonly tktRequestId: string | null;
  readonly shoppingResponseId: string | null;
  /** In upper case; CANCELED is read as CANCELLED. Null if missing. */
  readonly bookingStatus: string | null;
}

export interface VoidedTicket {
  readonly ticketNumber: string | null;
  readonly status: ResultStatus;
  /** Empty on success. */
  readonly message: string;
}

const requestSchema = orderRequestSchema(
  requestRoot,
  field(
    z.strictObject({
      ...orderQuerySchema.shape,
      TicketNumber: field(z.array(reference).min(1), "tickets to void"),
      NeedToCancelBooking: field(yesNo, "Y also cancels the itineraries; N when it is missing").optional(),
    }),
    "the order and its tickets",
    { section: "Endpoints" },
  ),
);

const responseSchema = rooted(
  responseRoot,
  z.strictObject({
    ...responseEnvelope(responseVersion),
    Result: field(voidResult, "what became of the tickets"),
  }),
);

/**
 * Voids tickets and, if requested, cancels their itineraries. It cannot be undone, so it is never resent automatically.
 * The interface document shows it under another host.
 * @see interface document, "Endpoints", /AirTicketVoid
 */
export const airTicketVoid = defineOperation({
  name: "AirTicketVoid",
  summary: "Voids tickets and, when asked, cancels their itineraries.",
  readOnly: false,
  host: "void",
  queryLists: ["gdsBookingReferences", "ticketNumbers"],
  requestRoot,
  requestSchema,
  request: voidRequest,
  readRequest: requestReader(requestRoot, readVoidQuery),
  responseRoot,
  responseSchema,
  interpret: interpretVoid,
});

function voidRequest(query: VoidQuery, envelope: Envelope): z.infer<typeof requestSchema> {
  const body = orderRequest(requestRoot, query, envelope)[requestRoot];
  return {
    [requestRoot]: {
      ...body,
      Query: {
        ...body.Query,
        TicketNumber: [...query.ticketNumbers],
        NeedToCancelBooking: query.needToCancelBooking === true ? "Y" : "N",
      },
    },
  };
}

/**
 * One ticket number may stand without a list, and NeedToCancelBooking may be missing or blank, which means N. Other
 * values than Y and N are refused, because it decides whether a booking is lost. Codes: those of `readOrderQuery`,
 * `request.no_ticket_number`, `request.bad_need_to_cancel_booking`.
 */
function readVoidQuery(content: object): VoidQuery {
  const order = readOrderQuery(content);
  const query = member(content, "Query");
  const ticketNumbers = referencesOf(member(query, "TicketNumber"));
  if (ticketNumbers.length === 0) {
    const message = `The request for order ${order.orderId} names no TicketNumber.`;
    return refuseRequest("request.no_ticket_number", "/Query/TicketNumber", message);
  }
  const needToCancelBooking = yesNoOf(member(query, "NeedToCancelBooking"));
  if (needToCancelBooking === null) {
    const message = `NeedToCancelBooking of the request for order ${order.orderId} is neither Y nor N.`;
    return refuseRequest("request.bad_need_to_cancel_booking", "/Query/NeedToCancelBooking", message);
  }
  return { ...order, ticketNumbers, needToCancelBooking };
}

/** Returns false if missing, null or blank; null for anything but Y and N. */
function yesNoOf(value: unknown): boolean | null {
  if (value === undefined || value === null) return false;
  const text = typeof value === "string" ? value.trim().toUpperCase() : null;
  if (text === "Y") return true;
  return text === "N" || text === "" ? false : null;
}

/**
 * `Result` counts even without `Success`; errors count only without a result, because a result states what was done to
 * which ticket.
 */
function interpretVoid(json: unknown): Interpretation<VoidResult> {
  const result = memberAt(json, responseRoot, "Result") ?? member(json, "Result");
  const status = resultStatusOf(member(result, "Status"));
  const tickets = listOf(member(result, "TicketDetails")).filter(isRecord).map(readTicket);
  if (status === "" && tickets.length === 0) {
    return unusable(readErrors(json, responseRoot), responseRoot, `/${responseRoot}/Result`, "It holds no Result.");
  }
  return {
    ok: true,
    result: {
      status,
      errorMessage: textOf(memberOf(result, "ErrorMessage", "ErrorMsg")) ?? "",
      tickets,
      tktRequestId: textOf(member(result, "TktRequestId")),
      shoppingResponseId:
        textOf(member(result, "ShoppingResponseId")) ?? textOf(memberAt(json, responseRoot, "ShoppingResponseId")),
      bookingStatus: bookingStatusOf(member(result, "BookingStatus")),
    },
  };
}

function readTicket(json: unknown): VoidedTicket {
  return {
    ticketNumber: textOf(member(json, "DocumentNumber")),
    status: resultStatusOf(member(json, "Status")),
    message: textOf(memberOf(json, "Msg", "Message")) ?? "",
  };
}
