import { setReferenceState } from "./order-states.ts";
import type { BookingReference, GatewayOrder, Settlement } from "./ports.ts";
import { closeChange, nothingAllowed } from "./settle-change.ts";
import { flownSegmentKeysOf } from "./tickets.ts";

/** For one booking reference. */
export interface CancellationResult {
  readonly gdsBookingReference: string;
  readonly status: "SUCCESS" | "FAILED";
  /** What was done, or why it was not. */
  readonly message: string;
  /** Afterwards, see `bookingStatusOf`; empty if the order has no such reference. */
  readonly bookingStatus: string;
}

export interface CancelledOrder {
  readonly order: GatewayOrder;
  readonly results: readonly CancellationResult[];
  readonly settlements: readonly Settlement[];
}

/**
 * Cancels booking references for the traveller. Refuses those already cancelled, never confirmed or partly flown.
 * Tickets stay open, and a pending change of the reference ends.
 */
export function cancelBooking(order: GatewayOrder, gdsBookingReferences: readonly string[], at: Date): CancelledOrder {
  const asked = [...new Set(gdsBookingReferences)];
  const refusals = new Map(asked.map((reference) => [reference, cancellationRefusal(order, reference)]));
  const granted = asked.filter((reference) => refusals.get(reference) === null);
  const cancelled = {
    ...order,
    references: order.references.map((reference) =>
      granted.includes(reference.gdsBookingReference) ? cancelReference(reference) : reference,
    ),
  };
  const closed = granted.length === 0 ? { order, settlements: [] } : closeChange(cancelled, "cancelled", granted, at);
  const results = asked.map((gdsBookingReference): CancellationResult => {
    const refusal = refusals.get(gdsBookingReference) ?? null;
    const reference = closed.order.references.find((one) => one.gdsBookingReference === gdsBookingReference);
    return {
      gdsBookingReference,
      status: refusal === null ? "SUCCESS" : "FAILED",
      message: refusal ?? "Booking cancelled",
      bookingStatus: reference === undefined ? "" : bookingStatusOf(reference),
    };
  });
  return { ...closed, results };
}

/** PnrStatus, but `CANCELED` with one L, as in the results of the interface document. */
export function bookingStatusOf({ pnrStatus }: BookingReference): string {
  return pnrStatus === "CANCELLED" ? "CANCELED" : pnrStatus;
}

/** Returns null if it can be cancelled. */
export function cancellationRefusal(order: GatewayOrder, gdsBookingReference: string): string | null {
  const reference = order.references.find((candidate) => candidate.gdsBookingReference === gdsBookingReference);
  if (reference === undefined) {
    return `Booking reference ${gdsBookingReference} does not belong to order ${order.orderId}.`;
  }
  if (reference.pnrStatus === "FAILED") return `Booking ${gdsBookingReference} was never confirmed: nothing to cancel.`;
  if (reference.pnrStatus === "CANCELLED" && !hasOpenChange(reference)) {
    return `Booking ${gdsBookingReference} is cancelled already.`;
  }
  const flown = flownSegmentKeysOf(order, gdsBookingReference);
  if (flown.length > 0) return `Booking ${gdsBookingReference} was flown in part (${flown.join(", ")}).`;
  return null;
}

function cancelReference(reference: BookingReference): BookingReference {
  const scheduleChangeStatus = hasOpenChange(reference) ? "Rejected" : reference.scheduleChangeStatus;
  const moved = setReferenceState(reference, "cancel", { pnrStatus: "CANCELLED", scheduleChangeStatus });
  return { ...moved, flags: reference.flags === null ? null : nothingAllowed };
}

function hasOpenChange({ scheduleChangeStatus }: BookingReference): boolean {
  return scheduleChangeStatus === "Initiated" || scheduleChangeStatus === "Partially-Accepted";
}
