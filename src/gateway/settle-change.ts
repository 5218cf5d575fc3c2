import { applyChange } from "./apply-change.ts";
import { isTicketed, segmentKeysOf } from "./order-content.ts";
import type { BookingReference, ChangedSegment, GatewayOrder, OpenChange, PnrStatus, Settlement } from "./ports.ts";
import { type Refund, refundOf } from "./refund.ts";

/** What became of an answer to a change for one booking reference. */
export interface SettlementResult {
  readonly gdsBookingReference: string;
  readonly status: "SUCCESS" | "FAILED";
  /** Empty on success. */
  readonly errorMessage: string;
  /** Only after a cancel that succeeded. */
  readonly refund: Refund | null;
}

/** An order after somebody answered its pending change. */
export interface SettledOrder {
  readonly order: GatewayOrder;
  readonly results: readonly SettlementResult[];
  readonly settlements: readonly Settlement[];
}

/**
 * Answers the pending change for each of the booking references: it succeeds where a change is pending, was not answered
 * before and has its flag at Y, and fails with a reason everywhere else. The interface document does not show what an
 * answer does to the statuses; these are the choices made here:
 *
 * | | PnrStatus | ScheduleChangeStatus | flags | flights |
 * |---|---|---|---|---|
 * | accept | CONFIRMED, or PENDING when not ticketed, or CANCELLED when no flight is left | Accepted | N | the new ones |
 * | accept, while another reference on the same flight has not answered | unchanged | Partially-Accepted | N | as before |
 * | cancel | CANCELLED | Rejected | N | as before |
 *
 * ScheduleChangeIndicator stays true: the order did change, and a reader who missed the answer must be able to see it.
 * Flights that several references share move when the last of those references has answered.
 */
export function settleChange(
  order: GatewayOrder,
  outcome: Settlement["outcome"],
  gdsBookingReferences: readonly string[],
  at: Date,
): SettledOrder {
  const asked = [...new Set(gdsBookingReferences)];
  const refusals = new Map(asked.map((reference) => [reference, refusalFor(order, outcome, reference)]));
  const granted = asked.filter((reference) => refusals.get(reference) === null);
  const results = asked.map((gdsBookingReference): SettlementResult => {
    const errorMessage = refusals.get(gdsBookingReference) ?? "";
    const isRefunded = outcome === "rejected" && errorMessage === "";
    return {
      gdsBookingReference,
      status: errorMessage === "" ? "SUCCESS" : "FAILED",
      errorMessage,
      refund: isRefunded ? refundOf(order.content, gdsBookingReference) : null,
    };
  });
  const { change } = order;
  if (granted.length === 0 || change === null) return { order, results, settlements: [] };
  return {
    order: takeEffect(answer(order, outcome, granted), { ...change, settled: [...change.settled, ...granted] }),
    results,
    settlements: granted.map((gdsBookingReference) => ({
      changeId: change.id,
      gdsBookingReference,
      outcome,
      settledAt: at,
    })),
  };
}

/** Why the answer is refused; null when it is granted. */
function refusalFor(order: GatewayOrder, outcome: Settlement["outcome"], gdsBookingReference: string): string | null {
  const verb = outcome === "accepted" ? "accept" : "cancel";
  const reference = order.references.find((candidate) => candidate.gdsBookingReference === gdsBookingReference);
  if (reference === undefined) {
    return `Booking reference ${gdsBookingReference} does not belong to order ${order.orderId}.`;
  }
  const isOpen = order.change?.references.includes(gdsBookingReference) === true;
  if (!isOpen || order.change?.settled.includes(gdsBookingReference) === true) {
    const earlier = reference.scheduleChangeStatus;
    return `No schedule change is pending for ${gdsBookingReference}${earlier === "" ? "" : ` (${earlier})`}: nothing to ${verb}.`;
  }
  const flag = outcome === "accepted" ? reference.flags?.accept : reference.flags?.cancel;
  return flag === "Y" ? null : `The airline does not allow to ${verb} this change for ${gdsBookingReference}.`;
}

function answer(order: GatewayOrder, outcome: Settlement["outcome"], granted: readonly string[]): GatewayOrder {
  const flags = { accept: "N", cancel: "N", reSchedule: "N" } as const;
  const answered = (reference: BookingReference): BookingReference =>
    outcome === "accepted"
      ? { ...reference, flags, scheduleChangeStatus: "Partially-Accepted" }
      : { ...reference, flags, scheduleChangeStatus: "Rejected", pnrStatus: "CANCELLED" };
  return {
    ...order,
    references: order.references.map((reference) =>
      granted.includes(reference.gdsBookingReference) ? answered(reference) : reference,
    ),
  };
}

/** Moves the flights on which everybody has answered, and completes the acceptances that waited for them. */
function takeEffect(order: GatewayOrder, change: OpenChange): GatewayOrder {
  const flownBy = (references: readonly string[], { segmentKey }: ChangedSegment): boolean =>
    references.some((reference) => segmentKeysOf(order.content, reference).includes(segmentKey));
  const waiting = change.references.filter((reference) => !change.settled.includes(reference));
  const accepted = order.references
    .filter((reference) => reference.scheduleChangeStatus === "Partially-Accepted")
    .map((reference) => reference.gdsBookingReference)
    .filter((reference) => change.settled.includes(reference));
  const due = change.segments.filter((segment) => !flownBy(waiting, segment) && flownBy(accepted, segment));
  const left = change.segments.filter((segment) => !due.includes(segment));
  const references = order.references.map((reference): BookingReference => {
    const isComplete = !left.some((segment) => flownBy([reference.gdsBookingReference], segment));
    return accepted.includes(reference.gdsBookingReference) && isComplete
      ? { ...reference, scheduleChangeStatus: "Accepted", pnrStatus: statusAfterAccept(order, reference, due) }
      : reference;
  });
  return {
    ...order,
    content: due.length === 0 ? order.content : applyChange(order.content, due),
    references,
    change: waiting.length === 0 ? null : { ...change, segments: left },
  };
}

function statusAfterAccept(
  order: GatewayOrder,
  reference: BookingReference,
  due: readonly ChangedSegment[],
): PnrStatus {
  const withdrawn = new Set(due.filter(({ becomes }) => becomes.length === 0).map(({ segmentKey }) => segmentKey));
  const keys = segmentKeysOf(order.content, reference.gdsBookingReference);
  if (keys.every((key) => withdrawn.has(key))) return "CANCELLED";
  return isTicketed(order.content, reference.gdsBookingReference) ? "CONFIRMED" : "PENDING";
}
