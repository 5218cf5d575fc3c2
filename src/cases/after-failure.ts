import { GatewayError } from "../contract/failed-call.ts";
import { codeOf, messageOf } from "../kernel/app-error.ts";
import { backOffMs } from "../kernel/back-off.ts";
import { isStoredBodyError } from "../kernel/stored-body-errors.ts";
import { addMs } from "./after-response.ts";
import { assessNotification } from "./assess.ts";
import { escalate } from "./decide-on-status.ts";
import type { Failure } from "./effect.ts";
import type { EffectSnapshot } from "./effect-snapshot.ts";
import { type Escalation, statusRefusedBy } from "./escalation.ts";
import { isFinished } from "./lifecycle.ts";
import type { OrderContext, WaitingState } from "./order-context.ts";
import { requestOutcomeReview, toAgentQueue } from "./review-effect.ts";
import type { SourceSettings } from "./source-settings.ts";
import { type Change, end, postponed, type Step, type StepInputs } from "./step.ts";
import { pendingReview, resumeWaitingIfAsked } from "./waiting.ts";

/** Consecutive failures inside Skedchange, not at the gateway, before a person is asked. */
const internalFailuresMax = 8;

/** Handles a failed run: temporary gateway failures are retried without end, internal ones a few times. */
export function afterFailure(
  context: OrderContext,
  error: unknown,
  settings: SourceSettings,
  stepInputs: StepInputs,
): Step {
  return end("postponed", postpone(context, error, settings, stepInputs), "postponed");
}

function postpone(context: OrderContext, error: unknown, settings: SourceSettings, stepInputs: StepInputs): Change {
  const { now, random } = stepInputs;
  const { liveEffect } = context;
  const { failures, state: caseState } = context.case;
  const failure = { code: codeOf(error), message: messageOf(error) };
  const retryAt = addMs(now, backOffMs(settings.timing.retry, failures + 1, random));
  const wait = (dueAt: Date | null, state?: WaitingState): Change => postponed(context, failure, dueAt, state);

  const escalation = escalationFor(context, error, failure, retryAt, settings, now);
  const dueAt = escalation === null ? retryAt : (escalation.dueAt ?? null);
  if (liveEffect !== null) {
    return postponeSettling(context, liveEffect, wait, escalation === null ? "retry" : "ask", dueAt, settings, now);
  }
  // A gateway that is down must not keep people who were asked from acting on the case.
  if (escalation === null || (dueAt !== null && isFinished(caseState))) {
    return wait(retryAt, resumeWaitingIfAsked(context, now)?.state);
  }
  // A finished case cannot ask a person. The next case does, so that its notification is not dropped.
  if (isFinished(caseState)) return { kind: "next-case" };
  if (context.decision?.question === escalation.question) return wait(dueAt, "awaiting-agent");
  const waiting = pendingReview(context, settings, now);
  if (waiting !== null) return wait(dueAt ?? waiting.dueAt, waiting.state);
  return escalate(context, escalation, settings, stepInputs);
}

function postponeSettling(
  context: OrderContext,
  effect: EffectSnapshot,
  wait: (dueAt: Date | null, state?: WaitingState) => Change,
  step: "retry" | "ask",
  dueAt: Date | null,
  settings: SourceSettings,
  now: Date,
): Change {
  if (context.decision?.question === "effect-outcome") return wait(dueAt, "awaiting-agent");
  if (step === "retry" || effect.state !== "unknown") return wait(dueAt ?? addMs(now, settings.timing.retry.capMs));
  const followUp = requestOutcomeReview(effect, assessNotification(context, settings, now), settings, null, now);
  return { kind: "settle-read", effectId: effect.id, shown: "otherwise", move: { ...toAgentQueue, dueAt }, followUp };
}

/** Returns what a person is asked, or null if the run is only retried. */
function escalationFor(
  { case: { failures, failingSince } }: OrderContext,
  error: unknown,
  failure: Failure,
  retryAt: Date,
  { timing }: SourceSettings,
  now: Date,
): Escalation | null {
  if (!(error instanceof GatewayError)) {
    if (failures + 1 < internalFailuresMax || isOutsideTheOrder(failure.code)) return null;
    return {
      rule: "check:processing",
      question: "failed-processing",
      reason: { code: "processing-failed", text: failure.message },
    };
  }
  const refused = statusRefusedBy(error);
  if (refused !== null) return refused;
  const since = failingSince ?? now;
  if (now.getTime() - since.getTime() < timing.escalateAfterMs) return null;
  return {
    rule: "check:gateway",
    question: "unreachable-gateway",
    reason: {
      code: "gateway-unreachable",
      text: `The gateway has not responded since ${since.toISOString()}. Skedchange keeps retrying. ${error.message}`,
    },
    dueAt: retryAt,
  };
}

/** An unavailable database or a missing source setting needs no person: the order stays due. */
function isOutsideTheOrder(code: string): boolean {
  return (
    (code.startsWith("store.") && !isStoredBodyError(code)) ||
    code === "desk.unknown_source" ||
    code.startsWith("ECONN") ||
    code === "EPIPE" ||
    /^(08|53|57|58)[0-9A-Z]{3}$/.test(code)
  );
}
