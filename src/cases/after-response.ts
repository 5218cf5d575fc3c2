import { backOffMs } from "../kernel/back-off.ts";
import type { CaseMove, EffectEnding } from "./case-update.ts";
import type { EffectAction, Reason } from "./decision.ts";
import { credentialsRefused, type EffectOutcome, mixedResults, notSent, refusedTemporarily } from "./effect.ts";
import { withSuccess } from "./effect-attempt.ts";
import type { OrderContext } from "./order-context.ts";
import { describeRest } from "./outcome-words.ts";
import { followUpRefund } from "./refund-task.ts";
import { reviewEffect, toAgentQueue } from "./review-effect.ts";
import type { SourceSettings } from "./source-settings.ts";
import {
  decision,
  type EffectAttempt,
  end,
  type OrderEvent,
  type PerformedEffect,
  readStatus,
  type Step,
  type StepInputs,
} from "./step.ts";

/** How often one decision is sent to a gateway that refuses it temporarily, before a person is asked. */
const attemptsMax = 5;

export function afterResponse(
  context: OrderContext,
  { effectId, attempt, performed }: Extract<OrderEvent, { kind: "responded" }>,
  settings: SourceSettings,
  stepInputs: StepInputs,
): Step {
  const isResend = attempt.effectId !== null;
  const settled = isResend ? failureAsUnknown(performed) : performed;
  const { outcome } = settled;
  const ending = endingOf(context, attempt, settled, settings, stepInputs);
  const id = isResend ? "resend-outcome-saved" : "outcome-saved";
  const save = { kind: "effect-outcome", effectId, outcome, ending, isResponse: true } as const;
  switch (outcome.state) {
    case "unknown":
      return end(id, save, "settling");
    case "failed":
      return end(id, save, "carried-out");
    case "succeeded": {
      if (attempt.isJustDecided) {
        const contextAfterSave = withSuccess(context, effectId, attempt, ending, stepInputs.now);
        return { ...readStatus("after-effect"), id, save, contextAfterSave };
      }
      return { id, save, next: { kind: "load" } };
    }
  }
}

export function afterRefusedPlan(
  { action, assessment }: EffectAttempt,
  settings: SourceSettings,
  { now, newDecisionId }: StepInputs,
): Step {
  const text = `The gateway already responded with SUCCESS to the ${action} of this change, but shows it as open again. Ask the airline.`;
  const review = reviewEffect(assessment, { code: "already-carried-out", text }, settings, null, now);
  return end("escalated", decision(newDecisionId, review, toAgentQueue), "decided");
}

/** After a refusal of the second request the first may still have been carried out, so only a success settles it. */
function failureAsUnknown({ outcome, retryAfterMs }: PerformedEffect): PerformedEffect {
  return { outcome: outcome.state === "failed" ? { ...outcome, state: "unknown" } : outcome, retryAfterMs };
}

function endingOf(
  context: OrderContext,
  { action, assessment, expectedRefund }: EffectAttempt,
  { outcome, retryAfterMs }: PerformedEffect,
  settings: SourceSettings,
  { now, random }: StepInputs,
): EffectEnding {
  const { timing } = settings;
  switch (outcome.state) {
    case "succeeded":
      return {
        move: toEffectState(action, now),
        accepted: action === "accept" ? assessment.proposal.proposed : null,
        followUp: null,
        refund: action === "cancel" ? followUpRefund(expectedRefund, outcome.results, assessment.legal, now) : null,
      };
    case "unknown":
      return endingWith(toEffectState(action, addMs(now, timing.settleReadsMs[0] ?? 0)));
    case "failed": {
      if (shouldRetry(context, outcome, settings, now)) {
        const waitMs = backOffMs(timing.retry, context.case.failures + 1, random);
        return endingWith({
          state: "checking",
          reviewQueue: null,
          dueAt: addMs(now, Math.max(waitMs, retryAfterMs ?? 0)),
        });
      }
      const followUp = reviewEffect(assessment, failureReason(context, action, outcome), settings, null, now);
      return { ...endingWith(toAgentQueue), followUp };
    }
  }
}

export function addMs(now: Date, milliseconds: number): Date {
  return new Date(now.getTime() + milliseconds);
}

export function toEffectState(action: EffectAction, dueAt: Date): CaseMove {
  return { state: action === "accept" ? "accepting" : "cancelling", reviewQueue: null, dueAt };
}

export function endingWith(move: CaseMove): EffectEnding {
  return { move, accepted: null, followUp: null, refund: null };
}

/** Unsent effects and refused credentials go to a person after the same time as an unreadable status. */
function shouldRetry(
  { case: { failingSince }, temporaryRefusals }: OrderContext,
  { error }: EffectOutcome,
  { timing }: SourceSettings,
  now: Date,
): boolean {
  if (error?.code === notSent || error?.code === credentialsRefused) {
    return failingSince === null || now.getTime() - failingSince.getTime() < timing.escalateAfterMs;
  }
  return error?.code === refusedTemporarily && temporaryRefusals + 1 < attemptsMax;
}

function failureReason({ temporaryRefusals }: OrderContext, action: EffectAction, { error }: EffectOutcome): Reason {
  const message = error?.message ?? "The gateway refused.";
  if (error?.code === mixedResults) return { code: "mixed-results", text: `${message} ${describeRest(action)}` };
  if (error?.code === notSent) return { code: "not-sent", text: `${message} Nothing reached the gateway.` };
  if (error?.code === credentialsRefused) {
    const text = `${message} Nothing was carried out. Correct the credentials, then decide again.`;
    return { code: "credentials-refused", text };
  }
  const triedText = error?.code === refusedTemporarily ? ` It was tried ${temporaryRefusals + 1} times.` : "";
  return { code: "gateway-refused", text: `${message}${triedText}` };
}
