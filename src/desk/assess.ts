import { readNotification } from "../contract/notification.ts";
import type { OrderView } from "../contract/order-view.ts";
import type { ChangeFacts } from "../itinerary/fact-catalogue.ts";
import { computeFacts } from "../itinerary/facts.ts";
import type { Itinerary } from "../itinerary/itinerary.ts";
import { type Proposal, readProposal } from "../itinerary/proposal.ts";
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

/**
 * Reads one view. The booked flights are the stored ones; at first contact they are those of the notification, which
 * was sent when the change was new, and only then those of the status, which may already show what was accepted
 * elsewhere.
 *
 * @returns null when the view does not speak of the order.
 */
export function assess(view: OrderView, orderId: string, work: Work, now: Date): Assessment | null {
  const proposal = readProposal(view, orderId);
  if (proposal === null) return null;
  const notified = notifiedProposal(orderId, work);
  const { booked, bookedFrom } = baselineOf(work, notified, proposal);
  const accepted = work.accepted ?? booked;
  return {
    proposal,
    booked,
    bookedFrom,
    accepted,
    notified: notified?.proposed ?? null,
    facts: computeFacts({ booked, accepted, proposal, passengers: view.passengers, now }),
    evaluatedAt: now,
  };
}

/** The same from the newest notification: what a person may act on when the status cannot be read. */
export function assessNotification(orderId: string, work: Work, now: Date): Assessment | null {
  const view = notifiedView(work);
  return view === null ? null : assess(view, orderId, work, now);
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

function baselineOf(
  work: Work,
  notified: Proposal | null,
  proposal: Proposal,
): { booked: Itinerary; bookedFrom: string } {
  if (work.booked !== null) return { booked: work.booked, bookedFrom: "stored" };
  if (notified !== null && notified.current.segments.length > 0) {
    return { booked: notified.current, bookedFrom: "notification" };
  }
  return { booked: proposal.current, bookedFrom: "status" };
}
