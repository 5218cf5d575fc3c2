import { setReferenceState } from "./order-states.ts";
import type { BookingReference, GatewayOrder, Settlement } from "./ports.ts";
import { closeChange, nothingAllowed } from "./settle-change.ts";
import { flownSegmentKeysOf } from "./tickets.ts";

/** What became of the cancellation of one booking reference. */
export interface CancellationResult {
  readonly gdsBookingReference: string;
  readonly status: "SUCCESS" | "FAILED";
  /** What was done, or why not. */
  readonly message: string;
  /** The booking afterwards, see `bookingStatusOf`; empty when the order has no such reference. */
  readonly bookingStatus: string;
}

export interface CancelledOrder {
  readonly order: GatewayOrder;
  readonly results: readonly CancellationResult[];
  readonly settlements: readonly Settlement[];
}

/**
 * Cancels booking references at the traveller's wish. It is refused for a reference that is cancelled already, was never
 * confirmed or was partly flown. Tickets stay open, and a change that waits for the reference is closed with it.
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

/** PnrStatus, but `CANCELED` with one L, as the interface document spells it in results. */
export function bookingStatusOf({ pnrStatus }: BookingReference): string {
  return pnrStatus === "CANCELLED" ? "CANCELED" : pnrStatus;
}

/** Why a reference cannot be cancelled; null when it can. */
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
