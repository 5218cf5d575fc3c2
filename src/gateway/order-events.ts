import { z } from "zod";
import { AppError } from "../kernel/app-error.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Logger } from "../telemetry/logger.ts";
import { departedSegmentKeys } from "./departed-segments.ts";
import { noOrderToChange } from "./order-codes.ts";
import { isKnownMove, setReferenceState } from "./order-states.ts";
import type { BookingReference, GatewayOrder, GatewayStore, Ticket } from "./ports.ts";
import { flySegments } from "./tickets.ts";

export const eventErrorCodes = {
  unknownSegment: "gateway.unknown_segment",
  unknownReference: "gateway.unknown_reference",
  nothingToFly: "gateway.nothing_to_fly",
  notMovable: "gateway.booking_not_movable",
} as const;

/** The body of `POST /control/orders/:orderId/flown`. Default: every flight that has departed. */
export const flownRequestSchema = z.strictObject({
  segmentKeys: z.array(z.string().min(1).max(40)).min(1).max(99).optional(),
});
export type FlownRequest = z.output<typeof flownRequestSchema>;

/** The body of `POST /control/orders/:orderId/modified` and `/failed`. Default: every booking reference. */
export const bookingEventSchema = z.strictObject({
  gdsBookingReferences: z.array(z.string().min(1).max(40)).min(1).max(99).optional(),
});
export type BookingEventRequest = z.output<typeof bookingEventSchema>;

export type BookingEvent = "modify" | "fail";

/** Stands in for airports, and for what travellers and airlines do elsewhere. */
export interface ExternalChanges {
  /**
   * Marks flights as flown on every open ticket, except flights with a pending change.
   * @throws AppError `gateway.order_not_found`, `gateway.unknown_segment`, `gateway.nothing_to_fly`
   */
  fly(orderId: string, request: FlownRequest): Promise<OrderAfterEvent>;
  /**
   * The traveller changes bookings (MODIFIED), or the airline does not confirm them (FAILED).
   * @throws AppError `gateway.order_not_found`, `gateway.unknown_reference`, `gateway.booking_not_movable`
   */
  move(orderId: string, event: BookingEvent, request: BookingEventRequest): Promise<OrderAfterEvent>;
}

export interface OrderAfterEvent {
  readonly orderId: string;
  readonly references: readonly BookingReference[];
  readonly tickets: readonly Ticket[];
}

export interface OrderEventsOptions {
  readonly store: GatewayStore;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function createOrderEvents({ store, clock, logger }: OrderEventsOptions): ExternalChanges {
  const amend = async (orderId: string, change: (order: GatewayOrder) => GatewayOrder): Promise<OrderAfterEvent> => {
    const after = await store.amendOrder(orderId, async (before) => {
      const order = change(before);
      return { order, change: null, settlements: [], journal: null, result: order };
    });
    if (after === null) throw noOrderToChange(orderId);
    return { orderId, references: after.references, tickets: after.tickets };
  };

  return {
    async fly(orderId, request) {
      const after = await amend(orderId, (order) => flySelected(order, request, clock.now()));
      logger.info({ orderId }, "order.flown");
      return after;
    },

    async move(orderId, event, request) {
      const after = await amend(orderId, (order) => moveBookings(order, event, request));
      logger.info({ orderId, event }, "order.moved");
      return after;
    },
  };
}

function flySelected(order: GatewayOrder, { segmentKeys }: FlownRequest, now: Date): GatewayOrder {
  const { FlightSegment } = order.content.DataLists.FlightSegmentList;
  const known = FlightSegment.map((segment) => segment.SegmentKey);
  const unknown = segmentKeys?.find((key) => !known.includes(key));
  if (unknown !== undefined) {
    const message = `Order ${order.orderId} has no flight ${unknown}. Its segments are: ${known.join(", ") || "none"}.`;
    throw new AppError(eventErrorCodes.unknownSegment, message);
  }
  const pending = order.change?.segments.map((segment) => segment.segmentKey) ?? [];
  const asked = (segmentKeys ?? departedSegmentKeys(FlightSegment, now)).filter((key) => !pending.includes(key));
  const flown = flySegments(order, asked);
  if (flown !== order) return flown;
  const why = "A flight needs an open ticket, must have left unless it is named, and must not wait for an answer.";
  throw new AppError(eventErrorCodes.nothingToFly, `Nothing of order ${order.orderId} was flown. ${why}`);
}

const statusAfter = { modify: "MODIFIED", fail: "FAILED" } as const;

function moveBookings(
  order: GatewayOrder,
  event: BookingEvent,
  { gdsBookingReferences }: BookingEventRequest,
): GatewayOrder {
  const known = order.references.map((reference) => reference.gdsBookingReference);
  const asked = gdsBookingReferences ?? known;
  const unknown = asked.find((reference) => !known.includes(reference));
  if (unknown !== undefined) {
    const message = `Order ${order.orderId} has no booking reference ${unknown}. It has: ${known.join(", ")}.`;
    throw new AppError(eventErrorCodes.unknownReference, message);
  }
  return {
    ...order,
    references: order.references.map((reference) =>
      asked.includes(reference.gdsBookingReference) ? moveBooking(reference, event) : reference,
    ),
  };
}

function moveBooking(reference: BookingReference, event: BookingEvent): BookingReference {
  const to = { pnrStatus: statusAfter[event], scheduleChangeStatus: reference.scheduleChangeStatus };
  if (isKnownMove(event, reference, to)) return setReferenceState(reference, event, to);
  const state = `${reference.pnrStatus} (${reference.scheduleChangeStatus || "no change"})`;
  throw new AppError(
    eventErrorCodes.notMovable,
    `${reference.gdsBookingReference} is ${state} and cannot become ${to.pnrStatus}. Answer or make another order.`,
  );
}
