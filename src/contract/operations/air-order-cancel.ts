import { z } from "zod";
import { field } from "../element.ts";
import { references } from "../elements/codes.ts";
import { cancelResult } from "../elements/results.ts";
import { type Envelope, responseEnvelope, responseVersion } from "../envelope.ts";
import { exampleResponseEnvelope } from "../examples/envelope.ts";
import { exampleOrderQuery } from "../examples/order-view.ts";
import { readErrors } from "../gateway-errors.ts";
import { isRecord, listOf, member, memberAt, referencesOf, textOf } from "../lenient-value.ts";
import { bookingStatusOf, resultStatusOf } from "../result-status.ts";
import { defineOperation } from "./define-operation.ts";
import type { Interpretation, OrderQuery } from "./operation.ts";
import { unusable } from "./operation-response.ts";
import { orderQuerySchema, orderRequest, orderRequestSchema, readOrderRequest } from "./order-request.ts";
import { rooted } from "./rooted.ts";

const requestRoot = "OrderCancelRQ";
const responseRoot = "OrderViewRS";

/** What became of the cancellation of one booking, after normalisation. */
export interface CancelResult {
  readonly orderId: string | null;
  readonly gdsBookingReferences: readonly string[];
  /** SUCCESS or FAILED; another value stays as sent, upper case. Empty when none was sent. */
  readonly status: string;
  /** Empty when none was sent. */
  readonly message: string;
  /** CANCELLED, also where the gateway spells CANCELED; others upper case. Null when none was sent. */
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
 * Cancels a booking at the traveller's wish. It cannot be undone, so it is never sent again on its own account.
 *
 * @see interface document, "Endpoints", /AirOrderCancel
 */
export const airOrderCancel = defineOperation({
  name: "AirOrderCancel",
  summary: "Cancels a booking.",
  readOnly: false,
  requestRoot,
  requestSchema,
  request: cancelRequest,
  readRequest: (json) => readOrderRequest(requestRoot, json),
  responseRoot,
  responseSchema,
  interpret: interpretCancel,
  example: {
    query: exampleOrderQuery,
    response: {
      [responseRoot]: {
        ...exampleResponseEnvelope,
        Response: [
          {
            Status: "SUCCESS",
            Msg: "Booking cancelled",
            BookingStatus: "CANCELED",
            OrderID: "QX7R2M1A",
            GdsBookingReference: "LHSKD1",
          },
        ],
      },
    },
  },
});

/** The interface document wants the booking code as text here, unlike elsewhere. */
function cancelRequest(query: OrderQuery, envelope: Envelope): z.infer<typeof requestSchema> {
  const body = orderRequest(requestRoot, query, envelope)[requestRoot];
  const gdsBookingReference = query.gdsBookingReferences.join(" ");
  return { [requestRoot]: { ...body, Query: { ...body.Query, GdsBookingReference: gdsBookingReference } } };
}

/**
 * The results stand under the root or, without an envelope, alone. They count even when `Success` is missing; errors
 * count only when there is no result, because a result says what was done to which booking.
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
