import type { Assessment } from "../cases/assess.ts";
import type { EffectAction, Reason } from "../cases/decision.ts";
import type { EffectOutcome } from "../cases/effect.ts";
import type { DecisionSnapshot, OrderContext } from "../cases/order-context.ts";
import { newDecision } from "../cases/record-decision.ts";
import { expectedRefund } from "../cases/refund-check.ts";
import type { OrderRecord } from "../contract/order-view.ts";
import { afterEffect } from "./after-effect.ts";
import type { CrashPoint } from "./crash-points.ts";
import type { DeskContext } from "./desk-context.ts";
import { settingsOf } from "./desk-context.ts";
import { notSent, type PerformedEffect, performEffect } from "./effect-outcome.ts";
import { endSucceededEffect } from "./end-effect.ts";
import { keepOutcome } from "./keep-outcome.ts";
import type { GatewayQuery, Lease } from "./ports.ts";
import type { ReconcileOutcome } from "./reconcile-outcome.ts";
import { effectReview } from "./record-decision.ts";

/** What is about to be sent. */
interface EffectToSend {
  readonly decision: Pick<DecisionSnapshot, "id">;
  readonly action: EffectAction;
  /** Of the status that was read right before. */
  readonly assessment: Assessment;
  readonly records: readonly OrderRecord[];
}

/**
 * Plans, sends and records one effect.
 *
 * The order of the four steps is what makes it safe: (1) the plan is committed, and the database refuses a second live
 * one for the order; (2) `sent` is committed; (3) the bytes leave; (4) the outcome is committed. A crash before (2) has
 * sent nothing. A crash after (2) leaves `sent`, which the next worker reads as unknown. So between (2) and (4) nothing
 * may be added that could make a sent effect look unsent.
 */
export async function sendEffect(
  desk: DeskContext,
  lease: Lease,
  work: OrderContext,
  { decision, action, assessment, records }: EffectToSend,
): Promise<ReconcileOutcome> {
  const { proposal } = assessment;
  const references = proposal.referencesAllowing[action];
  const query: GatewayQuery = { orderId: lease.orderId, gdsBookingReferences: references };
  const refund = action === "cancel" ? expectedRefund(records, references, assessment.facts) : null;

  desk.crashPoint("before-plan");
  const effectId = await desk.store.planEffect(lease, work.case.id, {
    decisionId: decision.id,
    action,
    gdsBookingReferences: references,
    proposalDigest: proposal.digest,
    expectedRefund: refund,
  });
  if (effectId === null) {
    const text = `The gateway has answered SUCCESS to the ${action} of this change already, and shows it as open again. Ask the airline.`;
    await askPerson(desk, lease, work, assessment, { code: "already-carried-out", text });
    return "decided";
  }
  desk.crashPoint("after-plan");
  const performed = await markAndCall(desk, lease, action, query, {
    mark: () => desk.store.markSent(lease, effectId),
    marked: "after-marked-sent",
  });
  desk.crashPoint("after-answer");
  const { outcome } = performed;
  const ending = afterEffect(desk, lease, work, { action, assessment, expectedRefund: refund }, performed);
  await keepOutcome(desk, lease, work, effectId, { outcome, ending });
  desk.crashPoint("after-outcome-kept");

  noteOutcome(desk, lease, work, { effectId, action, outcome, proposalDigest: proposal.digest });
  if (outcome.state === "unknown") return "settling";
  if (outcome.state === "failed") return "carried-out";
  const succeeded = await desk.store.beginWork(lease);
  return succeeded === null ? "carried-out" : await endSucceededEffect(desk, lease, succeeded);
}

/** Commits that the bytes are about to leave, and lets them leave. */
export async function markAndCall(
  desk: DeskContext,
  lease: Lease,
  action: EffectAction,
  query: GatewayQuery,
  { mark, marked }: { readonly mark: () => Promise<void>; readonly marked: CrashPoint },
): Promise<PerformedEffect> {
  const gateway = desk.gatewayOf(lease.source);
  const markedAt = desk.clock.now().getTime();
  await mark();
  desk.crashPoint(marked);
  // A process that was paused here for longer than its lease may have been overtaken: by then a person may have been
  // told that the outcome is unknown and have decided. It has sent nothing yet, and must not any more.
  if (desk.clock.now().getTime() - markedAt >= desk.timing.leaseMs) return { outcome: overslept, retryAfterMs: null };
  const call = action === "accept" ? gateway.airOrderInvoluntaryAccept : gateway.airOrderInvoluntaryCancel;
  return await performEffect(action, () => call(query), query);
}

const overslept: EffectOutcome = {
  state: "failed",
  results: null,
  error: { code: notSent, message: "The process was paused right before sending, so nothing was sent." },
  answer: null,
};

/** For the metrics and the log. */
export function noteOutcome(
  desk: DeskContext,
  lease: Lease,
  work: OrderContext,
  effect: {
    readonly effectId: string;
    readonly action: EffectAction;
    readonly outcome: EffectOutcome;
    readonly proposalDigest: string;
  },
): void {
  const { effectId, action, outcome, proposalDigest } = effect;
  desk.metrics.effects.inc({ source: lease.source, action, state: outcome.state });
  desk.logger.info(
    {
      source: lease.source,
      orderId: lease.orderId,
      caseId: work.case.id,
      decisionId: work.decision?.id,
      effectId,
      action,
      outcome: outcome.state,
      errorCode: outcome.error?.code,
      proposalDigest,
    },
    "effect.performed",
  );
}

async function askPerson(
  desk: DeskContext,
  lease: Lease,
  work: OrderContext,
  assessment: Assessment,
  reason: Reason,
): Promise<void> {
  const question = { ...effectReview, reasons: [reason] };
  await desk.store.decide(
    lease,
    work.case,
    newDecision(assessment, question, settingsOf(desk, lease.source), null, desk.clock.now()),
    { state: "awaiting-agent", reviewQueue: "agent", dueAt: null },
    null,
  );
}
