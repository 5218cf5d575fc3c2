import { readNotification } from "../contract/notification.ts";
import type { OrderView } from "../contract/order-view.ts";
import type { ConnectionTimes } from "../itinerary/connection-times.ts";
import type { ChangeFacts } from "../itinerary/fact-catalogue.ts";
import { computeFacts, orderPartsOf } from "../itinerary/facts.ts";
import type { Itinerary } from "../itinerary/itinerary.ts";
import type { Baseline } from "../itinerary/outcome-facts.ts";
import { type Proposal, readProposal } from "../itinerary/proposal.ts";
import type { ChangeHistory } from "../itinerary/sequence-facts.ts";
import type { DeskContext } from "./desk-context.ts";
import type { Work } from "./ports.ts";

/** What a view of an order means for the work on it: the proposal, what it is compared with, and the facts. */
export interface Assessment {
  readonly proposal: Proposal;
  readonly booked: Itinerary;
  /** Where the booked flights were first seen: `stored`, `notification` or `status`. */
  readonly bookedFrom: string;
  readonly accepted: Itinerary;
  /** What the newest notification proposed; null when it cannot be read. */
  readonly notified: Itinerary | null;
  readonly facts: ChangeFacts;
  readonly evaluatedAt: Date;
}

/** What an assessment rests on besides the view and what is kept of the order. */
export interface AssessmentBasis {
  readonly now: Date;
  /** Those of the policy in force. */
  readonly connectionTimes: ConnectionTimes;
}

export function assessmentBasis(desk: Pick<DeskContext, "clock" | "policyOf">, source: string): AssessmentBasis {
  return { now: desk.clock.now(), connectionTimes: desk.policyOf(source).connectionTimes };
}

/**
 * Reads one view. The booked flights are the stored ones; at first contact they are those of the notification, which
 * was sent when the change was new, and only then those of the status, which may already show what was accepted
 * elsewhere.
 *
 * @returns null when the view does not speak of the order.
 */
export function assess(view: OrderView, orderId: string, work: Work, basis: AssessmentBasis): Assessment | null {
  const proposal = readProposal(view, orderId);
  if (proposal === null) return null;
  const notified = notifiedProposal(orderId, work);
  const { booked, bookedFrom, baseline } = baselineOf(work, notified, proposal);
  const accepted = work.accepted ?? booked;
  return {
    proposal,
    booked,
    bookedFrom,
    accepted,
    notified: notified?.proposed ?? null,
    facts: computeFacts({
      booked,
      accepted,
      proposal,
      passengers: view.passengers,
      now: basis.now,
      connectionTimes: basis.connectionTimes,
      order: orderPartsOf(view, orderId),
      ...(baseline === null ? {} : { baseline }),
      // Nobody has told us yet whether the traveller knows: telling the agency does not count.
      travellerInformedAt: null,
      history: historyOf(work, notified),
    }),
    evaluatedAt: basis.now,
  };
}

/** The same from the newest notification: what a person may act on when the status cannot be read. */
export function assessNotification(orderId: string, work: Work, basis: AssessmentBasis): Assessment | null {
  const view = notifiedView(work);
  return view === null ? null : assess(view, orderId, work, basis);
}

function notifiedProposal(orderId: string, work: Work): Proposal | null {
  const view = notifiedView(work);
  return view === null ? null : readProposal(view, orderId);
}

/** The newest notification as an order view; null when there is none, or it can no longer be read. */
function notifiedView({ notificationBody }: Work): OrderView | null {
  if (notificationBody === null) return null;
  const reading = readNotification(notificationBody);
  return reading.ok ? reading.view : null;
}

/** What earlier decisions about the order tell. Other orders on the same flights are not looked for. */
function historyOf({ decision, accepted, earlierProposals }: Work, notified: Proposal | null): ChangeHistory {
  const isOpen = decision?.action === "review" || decision?.action === "wait";
  return {
    proposals: earlierProposals,
    acceptedBefore: accepted !== null,
    awaiting: isOpen ? decision.proposed : null,
    notified: notified === null ? null : { current: notified.current, proposed: notified.proposed },
    sameFlightOrders: null,
  };
}

function baselineOf(
  work: Work,
  notified: Proposal | null,
  proposal: Proposal,
): { booked: Itinerary; bookedFrom: string; baseline: Baseline | null } {
  if (work.booked !== null) {
    return { booked: work.booked, bookedFrom: "stored", baseline: baselines[work.bookedFrom ?? ""] ?? null };
  }
  if (notified !== null && notified.current.segments.length > 0) {
    return { booked: notified.current, bookedFrom: "notification", baseline: "notice" };
  }
  return { booked: proposal.current, bookedFrom: "status", baseline: "status" };
}

/** Under the words in which it is kept where the booked flights were first seen. */
const baselines: Readonly<Record<string, Baseline | undefined>> = { notification: "notice", status: "status" };
