import type { Assessment } from "../cases/assess.ts";
import type { CaseMove, EffectEnding } from "../cases/case-update.ts";
import type { EffectAction, Reason } from "../cases/decision.ts";
import type { EffectOutcome, ExpectedRefund } from "../cases/effect.ts";
import type { OrderContext } from "../cases/order-context.ts";
import { newDecision } from "../cases/record-decision.ts";
import { followUpRefund } from "../cases/refund-task.ts";
import { backOffMs } from "../kernel/back-off.ts";
import type { DeskContext } from "./desk-context.ts";
import { settingsOf } from "./desk-context.ts";
import { credentialsRefused, notSent, type PerformedEffect, refusedForNow } from "./effect-outcome.ts";
import type { Lease } from "./ports.ts";
import { effectReview } from "./record-decision.ts";

/** How often the same decision is carried to a gateway that turns it away for now, before a person is asked. */
const triesMax = 5;

/** What was sent, and what is needed to tell what follows from it. */
interface SentEffect {
  readonly action: EffectAction;
  readonly assessment: Assessment;
  readonly expectedRefund: ExpectedRefund | null;
}

/** What follows from an outcome: where the case goes, and the decision that asks a person when one is needed. */
export function afterEffect(
  desk: DeskContext,
  lease: Lease,
  work: OrderContext,
  sent: SentEffect,
  { outcome, retryAfterMs }: PerformedEffect,
): EffectEnding {
  const now = desk.clock.now().getTime();
  const { action, assessment } = sent;
  switch (outcome.state) {
    case "succeeded":
      return {
        move: underWay(action, new Date(now)),
        accepted: action === "accept" ? assessment.proposal.proposed : null,
        followUp: null,
        refund:
          action === "cancel"
            ? followUpRefund({
                expected: sent.expectedRefund,
                results: outcome.results,
                legal: assessment.legal,
                cancelledAt: new Date(now),
              })
            : null,
      };
    case "unknown":
      return onlyMove(underWay(action, new Date(now + (desk.timing.settleReadsMs[0] ?? 0))));
    case "failed": {
      if (isToBeTriedAgain(desk, work, outcome)) {
        const waitMs = backOffMs(desk.timing.retry, work.case.failures + 1, desk.random());
        const dueAt = new Date(now + Math.max(waitMs, retryAfterMs ?? 0));
        return onlyMove({ state: "checking", reviewQueue: null, dueAt });
      }
      const reasons = [failureReason(work, outcome)];
      return {
        ...onlyMove({ state: "awaiting-agent", reviewQueue: "agent", dueAt: null }),
        followUp: newDecision(
          assessment,
          { ...effectReview, reasons },
          settingsOf(desk, lease.source),
          null,
          desk.clock.now(),
        ),
      };
    }
  }
}

/** The case while its effect is under way or being settled. */
export function underWay(action: EffectAction, dueAt: Date): CaseMove {
  return { state: action === "accept" ? "accepting" : "cancelling", reviewQueue: null, dueAt };
}

/** Nothing follows but a move of the case. */
export function onlyMove(move: CaseMove): EffectEnding {
  return { move, accepted: null, followUp: null, refund: null };
}

/** What cannot even be sent, or is not let in, goes to a person after as long as a status that cannot be read. */
function isToBeTriedAgain(
  { clock, timing }: DeskContext,
  { case: { failingSince }, refusalsForNow }: OrderContext,
  { error }: EffectOutcome,
): boolean {
  if (error?.code === notSent || error?.code === credentialsRefused) {
    return failingSince === null || clock.now().getTime() - failingSince.getTime() < timing.handOverAfterMs;
  }
  return error?.code === refusedForNow && refusalsForNow + 1 < triesMax;
}

function failureReason({ refusalsForNow }: OrderContext, { error }: EffectOutcome): Reason {
  const message = error?.message ?? "The gateway refused.";
  if (error?.code === "desk.mixed_results") return { code: "mixed-results", text: message };
  if (error?.code === notSent) return { code: "not-sent", text: `${message} Nothing has reached the gateway.` };
  if (error?.code === credentialsRefused) {
    const text = `${message} The gateway has done nothing. Correct the credentials, then decide anew.`;
    return { code: "credentials-refused", text };
  }
  const tries = error?.code === refusedForNow ? ` It was tried ${refusalsForNow + 1} times.` : "";
  return { code: "gateway-refused", text: `${message}${tries}` };
}
