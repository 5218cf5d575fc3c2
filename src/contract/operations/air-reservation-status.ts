import { defineOperation } from "./define-operation.ts";
import { orderRequests } from "./order-request.ts";
import { orderViewResponses } from "./order-view-response.ts";

/**
 * The status shows the segments as the gateway has them, possibly from a cache.
 * @see interface document, "Endpoints", /AirReservationStatus
 */
export const airReservationStatus = defineOperation({
  name: "AirReservationStatus",
  summary: "Reads the status of a reservation, with its flights and any pending schedule change.",
  readOnly: true,
  ...orderRequests("OrderStatusRQ"),
  ...orderViewResponses,
});
