import type { OperationName, OrderQuery } from "../../contract/operations/operation.ts";
import { type BookedTrip, bookedTrip } from "../extras/booked-trip.ts";
import { type OperationContext, OperationRefusal } from "../operation.ts";
import type { GatewayOrder } from "../ports.ts";
import { findOrder, recordRead } from "./find-order.ts";

/** A booking that something can be added to. */
export interface FoundBookedTrip {
  readonly order: GatewayOrder;
  readonly trip: BookedTrip;
  /** When prices stated now expire. */
  readonly expiresAt: Date;
}

/** An offer has its own expiry, a booking has none. */
const pricesHoldMs = 30 * 60_000;

/**
 * Returns what the references still have to fly, and writes the journal.
 * @throws OperationRefusal 404 for an unknown order or reference; 31 if one is cancelled, or nothing is left to fly
 */
export async function findBookedTrip(
  context: OperationContext,
  operation: OperationName,
  query: OrderQuery,
): Promise<FoundBookedTrip> {
  const order = await findOrder(context.store, query);
  const now = context.clock.now();
  const cancelled = order.references.find(
    ({ gdsBookingReference, pnrStatus }) =>
      query.gdsBookingReferences.includes(gdsBookingReference) && pnrStatus === "CANCELLED",
  );
  if (cancelled !== undefined) {
    const message = `Booking reference ${cancelled.gdsBookingReference} is cancelled: nothing can be added to it.`;
    throw new OperationRefusal("gateway.reference_cancelled", message, {
      httpStatus: 400,
      gatewayCode: invalidItinerary,
    });
  }
  const trip = bookedTrip(order, query.gdsBookingReferences, now);
  if (trip.flights.length === 0 || trip.passengers.length === 0) {
    const message = `Order ${order.orderId} has no flight left under ${query.gdsBookingReferences.join(", ")}: nothing can be added.`;
    throw new OperationRefusal("gateway.nothing_to_fly", message, { httpStatus: 400, gatewayCode: invalidItinerary });
  }
  await recordRead(context, operation, query, order);
  return { order, trip, expiresAt: new Date(now.getTime() + pricesHoldMs) };
}

/** INVALID_ORDER_ITIN in the gateway's table. */
const invalidItinerary = "31";
