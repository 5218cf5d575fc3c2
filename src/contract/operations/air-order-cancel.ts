import { z } from "zod";
import { isRecord } from "../../kernel/record.ts";
import { field } from "../element.ts";
import { references } from "../elements/codes.ts";
import { cancelResult } from "../elements/results.ts";
import { type Envelope, responseEnvelope, responseVersion } from "../envelope.ts";
import { readErrors } from "../gateway-errors.ts";
import { listOf, member, memberAt, referencesOf, textOf } from "../lenient-value.ts";
import { bookingStatusOf, type ResultStatus, resultStatusOf } from "../result-status.ts";
import { defineOperation } from "./define-operation.ts";
import type { Interpretation, OrderQuery } from "./operation.ts";
import { unusable } from "./operation-response.ts";
import { orderQuerySchema, orderRequest, orderRequestSchema, orderRequests } from "./order-request.ts";
import { rooted } from "./rooted.ts";

const requestRoot = "OrderCancelRQ";
const responseRoot = "OrderViewRS";

/** The normalised result for one booking. */
export interface CancelResult {
  readonly orderId: string | null;
  readonly gdsBookingReferences: readonly string[];
  readonly status: ResultStatus;
  /** Empty if missing. */
  readonly message: string;
  /** In upper case; CANCELED is read as CANCELLED. Null if missing. */
  readonly bookingStatus: string | null;
}

const requestSchema = orderRequestSchema(
  requestRoot,
  field(
    z.strictObject({
      ...orderQuerySchema.shape,
      GdsBookingReference: field(references, "booking code; several are separated by single blanks"),
    }),
    "the order to cancel",
    { section: "Endpoints" },
  ),
);

const responseSchema = rooted(
  responseRoot,
  z.strictObject({
    ...responseEnvelope(responseVersion),
    Response: field(z.array(cancelResult).min(1), "one result for each booking"),
  }),
);

/**
 * Cancels a booking for the traveller. It cannot be undone, so it is never resent automatically.
 * @see interface document, "Endpoints", /AirOrderCancel
 */
export const airOrderCancel = defineOperation({
  name: "AirOrderCancel",
  summary: "Cancels a booking.",
  readOnly: false,
  ...orderRequests(requestRoot),
  requestSchema,
  request: cancelRequest,
  responseRoot,
  responseSchema,
  interpret: interpretCancel,
});

/** The booking code is text here, unlike in other requests. */
function cancelRequest(query: OrderQuery, envelope: Envelope): z.infer<typeof requestSchema> {
  const body = orderRequest(requestRoot, query, envelope)[requestRoot];
  const gdsBookingReference = query.gdsBookingReferences.join(" ");
  return { [requestRoot]: { ...body, Query: { ...body.Query, GdsBookingReference: gdsBookingReference } } };
}

/**
 * Reads results under the root or, without an envelope, alone. They count even without `Success`; errors count only
 * without a result, because a result states what was done to which booking.
 */
function interpretCancel(json: unknown): Interpretation<readonly CancelResult[]> {
  const response = memberAt(json, responseRoot, "Response") ?? member(json, "Response");
  const results = listOf(response).filter(isRecord).map(readResult).filter(statesOutcome);
  if (results.length > 0) return { ok: true, result: results };
  return unusable(readErrors(json, responseRoot), responseRoot, `/${responseRoot}/Response`, "It holds no Response.");
}

function statesOutcome(result: CancelResult): boolean {
  return result.status !== "" || result.bookingStatus !== null;
}

function readResult(json: unknown): CancelResult {
  return {
    orderId: textOf(member(json, "OrderID")),
    gdsBookingReferences: referencesOf(member(json, "GdsBookingReference")),
    status: resultStatusOf(member(json, "Status")),
    message: textOf(member(json, "Msg")) ?? "",
    bookingStatus: bookingStatusOf(member(json, "BookingStatus")),
  };
}
