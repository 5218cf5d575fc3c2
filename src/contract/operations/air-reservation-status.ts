import type { z } from "zod";
import { exampleEnvelope } from "../examples/envelope.ts";
import { exampleOrderQuery, orderStatusExample } from "../examples/order-view.ts";
import type { OrderView } from "../order-view.ts";
import { orderViewResponseSchema } from "../order-view-schema.ts";
import { interpretOrderView } from "./interpret-order-view.ts";
import type { Operation, OrderQuery } from "./operation.ts";
import { orderRequest, orderRequestSchema, readOrderRequest } from "./order-request.ts";

const requestRoot = "OrderStatusRQ";

const requestSchema = orderRequestSchema(requestRoot);

/**
 * Reads the status of a reservation: PnrStatus, flags and the segments as the gateway has them now, possibly from a
 * cache of its own.
 *
 * @see interface document, "Endpoints", /AirReservationStatus
 */
export const airReservationStatus: Operation<
  OrderQuery,
  OrderView,
  z.infer<typeof requestSchema>,
  z.infer<typeof orderViewResponseSchema>
> = {
  name: "AirReservationStatus",
  path: "/AirReservationStatus",
  summary: "Reads the status of a reservation, with its flights and any pending schedule change.",
  requestRoot,
  responseRoot: "OrderViewRS",
  readOnly: true,
  resendable: true,
  optionalService: false,
  host: "base",
  requestSchema,
  responseSchema: orderViewResponseSchema,
  request: (query, envelope) => orderRequest(requestRoot, query, envelope),
  readRequest: (json) => readOrderRequest(requestRoot, json),
  interpret: interpretOrderView,
  examples: {
    query: exampleOrderQuery,
    request: orderRequest(requestRoot, exampleOrderQuery, exampleEnvelope),
    response: orderStatusExample,
  },
};
