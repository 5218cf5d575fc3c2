import { readErrors } from "../gateway-errors.ts";
import type { OrderView } from "../order-view.ts";
import { orderViewResponseSchema } from "../order-view-schema.ts";
import { readOrderView } from "../read-order-view.ts";
import type { Interpretation, Operation, OrderQuery } from "./operation.ts";
import { unusable } from "./operation-answer.ts";
import { orderRequest, orderRequestSchema } from "./order-request.ts";

const requestRoot = "OrderStatusRQ";
const responseRoot = "OrderViewRS";

/**
 * Reads the status of a reservation: PnrStatus, flags and the segments as the gateway has them now, possibly from a
 * cache of its own.
 *
 * @see interface document, "Endpoints", /AirReservationStatus
 */
export const airReservationStatus: Operation<OrderQuery, OrderView> = {
  name: "AirReservationStatus",
  path: "/AirReservationStatus",
  requestRoot,
  responseRoot,
  readOnly: true,
  resendable: true,
  requestSchema: orderRequestSchema(requestRoot),
  responseSchema: orderViewResponseSchema,
  request: (query, envelope) => orderRequest(requestRoot, query, envelope),
  interpret: interpretStatus,
};

/** Errors win over an order view: a gateway that states an error did not answer the question. */
function interpretStatus(json: unknown): Interpretation<OrderView> {
  const errors = readErrors(json, responseRoot);
  const read = readOrderView(json);
  if (read.ok && errors.length === 0) return { ok: true, answer: read.view };
  const path = read.ok ? "" : read.problem.path;
  return unusable(errors, responseRoot, path, read.ok ? "It states errors." : read.problem.message);
}
