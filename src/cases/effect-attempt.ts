import { orderPartsOf } from "../itinerary/facts-input.ts";
import type { Assessment } from "./assess.ts";
import type { EffectEnding } from "./case-update.ts";
import type { EffectAction } from "./decision.ts";
import type { EffectSnapshot } from "./effect-snapshot.ts";
import type { OrderContext } from "./order-context.ts";
import { expectedRefund } from "./refund-check.ts";
import type { AssessedStatus, EffectAttempt } from "./step.ts";

/** How long a status counts as read right before sending, in milliseconds. */
const freshMs = 2_000;

/** Counts from the request: a gateway may compose a status long before it responds. */
export function isFresh({ askedAt }: AssessedStatus, now: Date): boolean {
  return now.getTime() < askedAt.getTime() + freshMs;
}

export function createAttempt(
  orderId: string,
  action: EffectAction,
  seen: AssessedStatus,
  assessment: Assessment,
  isJustDecided: boolean,
): EffectAttempt {
  const gdsBookingReferences = assessment.proposal.referencesAllowing[action];
  const { records } = orderPartsOf(seen.view, orderId);
  return {
    effectId: null,
    action,
    gdsBookingReferences,
    proposalDigest: assessment.proposal.digest,
    expectedRefund: action === "cancel" ? expectedRefund(records, gdsBookingReferences, assessment.facts) : null,
    assessment,
    freshUntil: new Date(seen.readAt.getTime() + freshMs),
    isJustDecided,
  };
}

/** Returns the context after a successful effect of the same run, as if it were loaded again. */
export function withSuccess(
  context: OrderContext,
  effectId: string,
  { action, gdsBookingReferences, proposalDigest, expectedRefund, assessment }: EffectAttempt,
  { accepted, refund }: EffectEnding,
  now: Date,
): OrderContext {
  const { proposed } = assessment.proposal;
  const { ancillariesAtRisk } = assessment.facts;
  const lastSuccess: EffectSnapshot = {
    id: effectId,
    caseId: context.case.id,
    action,
    state: "succeeded",
    proposalDigest,
    gdsBookingReferences,
    decisionId: context.decision!.id,
    settleReads: 0,
    unchangedReads: 0,
    sends: 1,
    sentAt: now,
    sentAgoMs: 0,
    finishedAt: now,
    proposed,
    acceptedBefore: assessment.accepted,
    ancillariesAtRisk: ancillariesAtRisk.known ? ancillariesAtRisk.value : [],
    expectedRefund,
    refundCheck: refund?.check ?? null,
    legal: assessment.legal,
    // A notification that came meanwhile is missing here. It raised the requeue count, so the case stays due.
    otherFlightsAskedIn: null,
    notifiedSince: false,
    contradicted: false,
    confirmedByPerson: false,
  };
  return {
    ...context,
    case: { ...context.case, state: action === "accept" ? "accepting" : "cancelling" },
    decisionHasEffect: true,
    reserved: [],
    lastSuccess,
    accepted: accepted ?? context.accepted,
  };
}
