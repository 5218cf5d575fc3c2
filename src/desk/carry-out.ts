import { backOffMs } from "../kernel/back-off.ts";
import { type Assessment, assess, assessmentBasis } from "./assess.ts";
import { decide } from "./decide.ts";
import type { DeskContext } from "./desk-context.ts";
import { notSent, performEffect } from "./effect-outcome.ts";
import { endSucceededEffect } from "./end-effect.ts";
import type {
  CaseMove,
  DecisionSnapshot,
  EffectAction,
  EffectOutcome,
  GatewayQuery,
  Lease,
  NewDecision,
  Reason,
  Work,
} from "./ports.ts";
import { readStatus } from "./read-status.ts";
import type { ReconcileOutcome } from "./reconcile-outcome.ts";
import { decideOnStatus, decisionOf, decisionSubject, effectRule } from "./record-decision.ts";

/** How often a proposal may change under our hands in one run before a person is asked: views that differ at each read. */
const roundsMax = 3;

/**
 * Carries out the accept or cancel in force, if it still means the same.
 *
 * Accept and Cancel name only the order, so they act on whatever is pending when they arrive. The status is read right
 * before; when the proposal or its flags are no longer those that were decided on, nothing is sent and the case is
 * decided anew.
 */
export async function carryOut(desk: DeskContext, lease: Lease, begun: Work): Promise<ReconcileOutcome> {
  let work = begun;
  for (let round = 1; ; round++) {
    const { decision } = work;
    if (decision === null || (decision.action !== "accept" && decision.action !== "cancel")) return "decided";

    const status = await readStatus(desk, lease, work, "before-effect");
    const assessment = assess(status.reading.view, lease.orderId, work, assessmentBasis(desk, lease.source));
    if (assessment !== null && isStillMeant(desk, lease, work, decision, assessment)) {
      return await send(desk, lease, work, decision.id, decision.action, assessment);
    }

    const overruled = overruledBy(decision, round);
    const verdict = await decideOnStatus(desk, lease, work, status, overruled);
    if (verdict === "unchanged" || (verdict.action !== "accept" && verdict.action !== "cancel")) return "decided";
    const next = await desk.store.beginWork(lease);
    if (next === null) return "decided";
    work = next;
  }
}

/**
 * Whether the proposal is the one that was decided on and offers the action. What a rule decided must hold now as well:
 * the departure has come nearer since, and the policy may be another one.
 */
function isStillMeant(
  desk: DeskContext,
  lease: Lease,
  work: Work,
  decision: DecisionSnapshot,
  assessment: Assessment,
): boolean {
  const { action, proposalDigest } = decision;
  const { proposal } = assessment;
  if (action !== "accept" && action !== "cancel") return false;
  if (proposalDigest === null || proposal.digest !== proposalDigest) return false;
  if (proposal.referencesAllowing[action].length === 0) return false;
  if (isByPerson(decision)) return true;
  const subject = decisionSubject(desk, lease, work, assessment, null);
  return decide(subject, desk.policyOf(lease.source)).action === action;
}

/** Why no rule may decide in place of what was decided; null when one may. */
function overruledBy(decision: DecisionSnapshot, round: number): Reason | null {
  if (isByPerson(decision)) {
    return {
      code: "proposal-changed",
      text: `The proposal or its flags changed after the decision to ${decision.action}; nothing was sent.`,
    };
  }
  if (round < roundsMax) return null;
  return {
    code: "proposal-unsettled",
    text: "The gateway shows another proposal at each read, so nothing was sent. Ask the gateway or the airline which one holds.",
  };
}

function isByPerson({ decidedBy }: DecisionSnapshot): boolean {
  return decidedBy.startsWith("person:");
}

/**
 * Plans, sends and records one effect.
 *
 * The order of the four steps is what makes it safe: (1) the plan is committed, and the database refuses a second live
 * one for the order; (2) `sent` is committed; (3) the bytes leave; (4) the outcome is committed. A crash before (2) has
 * sent nothing. A crash after (2) leaves `sent`, which the next worker reads as unknown and never sends again by itself.
 * So between (2) and (4) nothing may be added that could make a sent effect look unsent.
 */
async function send(
  desk: DeskContext,
  lease: Lease,
  work: Work,
  decisionId: string,
  action: EffectAction,
  assessment: Assessment,
): Promise<ReconcileOutcome> {
  const { proposal } = assessment;
  const query: GatewayQuery = { orderId: lease.orderId, gdsBookingReferences: proposal.referencesAllowing[action] };
  const gateway = desk.gatewayOf(lease.source);

  const effectId = await desk.store.planEffect(lease, work.case.id, {
    decisionId,
    action,
    gdsBookingReferences: query.gdsBookingReferences,
    proposalDigest: proposal.digest,
  });
  if (effectId === null) {
    const text = `The gateway has answered SUCCESS to the ${action} of this change already, and shows it as open again. Ask the airline.`;
    await askPerson(desk, lease, work, assessment, { code: "already-carried-out", text });
    return "decided";
  }
  const markedAt = desk.clock.now().getTime();
  await desk.store.markSent(lease, effectId);
  // A process that was paused here for longer than its lease may have been overtaken: by then a person may have been
  // told that the outcome is unknown and have decided. It has sent nothing yet, and must not any more.
  const outcome =
    desk.clock.now().getTime() - markedAt >= desk.timing.leaseMs
      ? overslept
      : await performEffect(
          () =>
            action === "accept" ? gateway.airOrderInvoluntaryAccept(query) : gateway.airOrderInvoluntaryCancel(query),
          query,
        );
  const { move, followUp } = afterEffect(desk, lease, work, action, outcome, assessment);
  const accepted = outcome.state === "succeeded" && action === "accept" ? proposal.proposed : null;
  await desk.store.finishEffect(lease, work.case, effectId, outcome, move, accepted, followUp);

  desk.metrics.effects.inc({ source: lease.source, action, state: outcome.state });
  desk.logger.info(
    {
      source: lease.source,
      orderId: lease.orderId,
      caseId: work.case.id,
      decisionId,
      effectId,
      action,
      outcome: outcome.state,
      errorCode: outcome.error?.code,
      proposalDigest: proposal.digest,
    },
    "effect.performed",
  );
  if (outcome.state === "unknown") return "settling";
  if (outcome.state === "failed") return "carried-out";
  const succeeded = await desk.store.beginWork(lease);
  return succeeded === null ? "carried-out" : await endSucceededEffect(desk, lease, succeeded);
}

const overslept: EffectOutcome = {
  state: "failed",
  results: null,
  error: { code: notSent, message: "The process was paused right before sending, so nothing was sent." },
  answer: null,
};

async function askPerson(
  desk: DeskContext,
  lease: Lease,
  work: Work,
  assessment: Assessment,
  reason: Reason,
): Promise<void> {
  const question = { action: "review", reviewQueue: "agent", rule: effectRule, reasons: [reason], trace: [] } as const;
  await desk.store.decide(
    lease,
    work.case,
    decisionOf(desk, lease.source, assessment, question, null),
    { state: "awaiting-agent", reviewQueue: "agent", dueAt: null },
    null,
  );
}

/** Where the case goes after an effect, and the decision that asks a person when one is needed. */
function afterEffect(
  desk: DeskContext,
  lease: Lease,
  work: Work,
  action: EffectAction,
  outcome: EffectOutcome,
  assessment: Assessment,
): { move: CaseMove; followUp: NewDecision | null } {
  const now = desk.clock.now().getTime();
  const underWay = action === "accept" ? "accepting" : "cancelling";
  switch (outcome.state) {
    case "succeeded":
      return { move: { state: underWay, reviewQueue: null, dueAt: new Date(now) }, followUp: null };
    case "unknown": {
      const dueAt = new Date(now + (desk.timing.settleReadsMs[0] ?? 0));
      return { move: { state: underWay, reviewQueue: null, dueAt }, followUp: null };
    }
    case "failed": {
      if (outcome.error?.code === notSent) {
        const dueAt = new Date(now + backOffMs(desk.timing.retry, work.case.failures + 1, desk.random()));
        return { move: { state: "checking", reviewQueue: null, dueAt }, followUp: null };
      }
      const reason = {
        code: outcome.error?.code === "desk.mixed_results" ? "mixed-results" : "gateway-refused",
        text: outcome.error?.message ?? "The gateway refused.",
      };
      return {
        move: { state: "awaiting-agent", reviewQueue: "agent", dueAt: null },
        followUp: decisionOf(
          desk,
          lease.source,
          assessment,
          { action: "review", reviewQueue: "agent", rule: effectRule, reasons: [reason], trace: [] },
          null,
        ),
      };
    }
  }
}
