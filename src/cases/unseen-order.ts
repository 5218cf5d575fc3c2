import type { OrderView } from "../contract/order-view.ts";
import type { AssessedOrder, Assessment } from "./assess.ts";
import { airlineDeadlineOf } from "./decide.ts";
import type { DecisionSubject } from "./new-decision.ts";

/** An order of which nothing is stored yet but its notification. */
export function unseenOrder(orderId: string, notification: OrderView | "unreadable"): AssessedOrder {
  return {
    orderId,
    case: null,
    booked: null,
    bookedFrom: null,
    accepted: null,
    decision: null,
    earlierProposals: [],
    storedDigests: [],
    travellerContacts: [],
    notification,
  };
}

export function subjectOfUnseenOrder(source: string, assessment: Assessment): DecisionSubject {
  const { facts, order, notified, proposal, evaluatedAt } = assessment;
  return {
    source,
    order,
    facts,
    legal: assessment.legal,
    now: evaluatedAt,
    proposal,
    notified,
    notifiedUnseen: assessment.notifiedShowsChange,
    notifiedAt: null,
    awaited: null,
    lastSuccess: null,
    airlineDeadline: airlineDeadlineOf(assessment),
    caseOpenedAt: evaluatedAt,
    statusLagMs: 0,
    manualReviewReason: null,
    automationStoppedAt: null,
  };
}
