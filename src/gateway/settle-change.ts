import { applyChange } from "./apply-change.ts";
import { isTicketed, segmentKeysOf } from "./order-content.ts";
import { setReferenceState } from "./order-states.ts";
import type {
  BookingReference,
  ChangedSegment,
  GatewayOrder,
  OpenChange,
  PnrStatus,
  Settlement,
  TicketRefund,
} from "./ports.ts";
import { type Refund, refundOf } from "./refund.ts";
import { retireTickets } from "./tickets.ts";

/** What an agency does about a change. */
export type ChangeOutcome = "accepted" | "rejected";

/** For one booking reference. */
export interface SettlementResult {
  readonly gdsBookingReference: string;
  readonly status: "SUCCESS" | "FAILED";
  /** Empty on success. */
  readonly errorMessage: string;
  /** Only after a successful cancel. */
  readonly refund: Refund | null;
}

export interface SettledOrder {
  readonly order: GatewayOrder;
  readonly results: readonly SettlementResult[];
  readonly settlements: readonly Settlement[];
  readonly refunds: readonly TicketRefund[];
}

/**
 * Settles the pending change for each of the booking references. It succeeds if the change is open for the reference
 * and its flag is Y; otherwise it fails with a reason. `stateTransitions` has the new statuses.
 * ScheduleChangeIndicator stays true, so that a reader who missed the settlement can see that the order changed. Shared
 * flights change when the last of their references is settled.
 */
export function settleChange(
  order: GatewayOrder,
  outcome: ChangeOutcome,
  gdsBookingReferences: readonly string[],
  at: Date,
): SettledOrder {
  const asked = [...new Set(gdsBookingReferences)];
  const refusals = new Map(asked.map((reference) => [reference, refusalFor(order, outcome, reference)]));
  const granted = asked.filter((reference) => refusals.get(reference) === null);
  const { change } = order;
  const paidBack = outcome === "rejected" && change !== null ? payBack(order, granted, change.id, at) : notPaidBack;
  const results = asked.map((gdsBookingReference): SettlementResult => {
    const errorMessage = refusals.get(gdsBookingReference) ?? "";
    return {
      gdsBookingReference,
      status: errorMessage === "" ? "SUCCESS" : "FAILED",
      errorMessage,
      refund: paidBack.byReference.get(gdsBookingReference) ?? null,
    };
  });
  if (granted.length === 0) return { order, results, settlements: [], refunds: [] };
  const { refunds } = paidBack;
  const settled = settleReferences(order, outcome, granted);
  const ticketNumbers = refunds.map((refund) => refund.ticketNumber);
  const closed = closeChange(retireTickets(settled, ticketNumbers, "refunded"), outcome, granted, at);
  return { ...closed, results, refunds };
}

/**
 * Removes references from the pending change, and applies it if no reference is open any more. Their statuses are
 * already set.
 */
export function closeChange(
  order: GatewayOrder,
  outcome: Settlement["outcome"],
  gdsBookingReferences: readonly string[],
  at: Date,
): Pick<SettledOrder, "order" | "settlements"> {
  const { change } = order;
  if (change === null) return { order, settlements: [] };
  const settled = gdsBookingReferences.filter((reference) => isUnsettled(change, reference));
  return {
    order: takeEffect(order, { ...change, settled: [...change.settled, ...settled] }),
    settlements: settled.map((gdsBookingReference) => ({
      changeId: change.id,
      gdsBookingReference,
      outcome,
      settledAt: at,
    })),
  };
}

/** For a reference that can no longer be settled. */
export const nothingAllowed = { accept: "N", cancel: "N", reSchedule: "N" } as const;

function isUnsettled(change: OpenChange, gdsBookingReference: string): boolean {
  return change.references.includes(gdsBookingReference) && !change.settled.includes(gdsBookingReference);
}

/** Returns null if the action is allowed. */
function refusalFor(order: GatewayOrder, outcome: ChangeOutcome, gdsBookingReference: string): string | null {
  const verb = outcome === "accepted" ? "accept" : "cancel";
  const reference = order.references.find((candidate) => candidate.gdsBookingReference === gdsBookingReference);
  if (reference === undefined) {
    return `Booking reference ${gdsBookingReference} does not belong to order ${order.orderId}.`;
  }
  if (order.change === null || !isUnsettled(order.change, gdsBookingReference)) {
    const earlier = reference.scheduleChangeStatus;
    return `No schedule change is pending for ${gdsBookingReference}${earlier === "" ? "" : ` (${earlier})`}: nothing to ${verb}.`;
  }
  const flag = outcome === "accepted" ? reference.flags?.accept : reference.flags?.cancel;
  return flag === "Y" ? null : `The airline does not allow to ${verb} this change for ${gdsBookingReference}.`;
}

interface PaidBack {
  readonly byReference: ReadonlyMap<string, Refund>;
  readonly refunds: readonly TicketRefund[];
}

const notPaidBack: PaidBack = { byReference: new Map(), refunds: [] };

/** One reference after the other, because a document of the whole order is refunded once. */
function payBack(order: GatewayOrder, references: readonly string[], changeId: string, refundedAt: Date): PaidBack {
  let left = order;
  const byReference = new Map<string, Refund>();
  const refunds: TicketRefund[] = [];
  for (const gdsBookingReference of references) {
    const refund = refundOf(left, gdsBookingReference);
    const { currency, tickets } = refund;
    byReference.set(gdsBookingReference, refund);
    for (const { ticketNumber, amountText: amount } of tickets) {
      const { orderId } = order;
      refunds.push({ orderId, ticketNumber, gdsBookingReference, changeId, amount, currency, refundedAt });
    }
    const ticketNumbers = tickets.map((ticket) => ticket.ticketNumber);
    left = retireTickets(left, ticketNumbers, "refunded");
  }
  return { byReference, refunds };
}

function settleReferences(order: GatewayOrder, outcome: ChangeOutcome, granted: readonly string[]): GatewayOrder {
  const settle = (reference: BookingReference): BookingReference => ({
    ...(outcome === "accepted"
      ? setReferenceState(reference, "accept", {
          pnrStatus: reference.pnrStatus,
          scheduleChangeStatus: "Partially-Accepted",
        })
      : setReferenceState(reference, "reject", { pnrStatus: "CANCELLED", scheduleChangeStatus: "Rejected" })),
    flags: nothingAllowed,
  });
  return {
    ...order,
    references: order.references.map((reference) =>
      granted.includes(reference.gdsBookingReference) ? settle(reference) : reference,
    ),
  };
}

/** Changes the flights whose references are all settled, and completes the acceptances that waited for them. */
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
    if (!accepted.includes(reference.gdsBookingReference) || !isComplete) return reference;
    const pnrStatus = statusAfterAccept(order, reference, due);
    return setReferenceState(reference, "other-answer", { pnrStatus, scheduleChangeStatus: "Accepted" });
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
