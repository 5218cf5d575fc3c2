import { codeOf, messageOf } from "../kernel/app-error.ts";
import { backOffMs } from "../kernel/back-off.ts";
import { later } from "./after-answer.ts";
import { assessNotification } from "./assess.ts";
import { type Escalation, escalate } from "./decide-on-status.ts";
import type { Question } from "./decision.ts";
import type { Failure } from "./effect.ts";
import { badCredentials, gatewayFailureOf } from "./gateway-failure.ts";
import { isFinished } from "./lifecycle.ts";
import type { EffectSnapshot, OrderContext, WaitingState } from "./order-context.ts";
import { requestOutcomeReview, withPerson } from "./review-effect.ts";
import type { SourceSettings } from "./source-settings.ts";
import { type Change, end, type Moment, postponed, type Step } from "./step.ts";
import { pendingReview, waitingOn } from "./waiting.ts";

/** Consecutive failures inside Skedchange, not at the gateway, before a person is asked. */
const internalFailuresMax = 8;

/** Handles a failed run: temporary gateway failures are retried without end, internal ones a few times. */
export function afterFailure(context: OrderContext, error: unknown, settings: SourceSettings, moment: Moment): Step {
  return end("postponed", postpone(context, error, settings, moment), "postponed");
}

function postpone(context: OrderContext, error: unknown, settings: SourceSettings, moment: Moment): Change {
  const { now, chance } = moment;
  const { liveEffect } = context;
  const { failures, state: caseState } = context.case;
  const failure = { code: codeOf(error), message: messageOf(error) };
  const tryAgainAt = later(now, backOffMs(settings.timing.retry, failures + 1, chance));
  const wait = (dueAt: Date | null, state?: WaitingState): Change => postponed(context, failure, dueAt, state);

  const call = escalationFor(context, error, failure, settings, now);
  const again = call === null || call.goesOn ? tryAgainAt : null;
  if (liveEffect !== null) {
    return postponeSettling(context, liveEffect, wait, call === null ? "go-on" : "ask", again, settings, now);
  }
  // A gateway that is down must not keep people who were asked from acting on the case.
  if (call === null || (call.goesOn && isFinished(caseState))) return wait(tryAgainAt, waitingOn(context, now)?.state);
  // A finished case cannot ask a person. The next case does, so that its notification is not dropped.
  if (isFinished(caseState)) return { kind: "next-case" };
  if (context.decision?.question === call.question) return wait(again, "awaiting-agent");
  const waiting = pendingReview(context, settings, now);
  if (waiting !== null) return wait(again ?? waiting.dueAt, waiting.state);
  return escalate(context, { ...call, ...(again === null ? {} : { dueAt: again }) }, settings, moment);
}

function postponeSettling(
  context: OrderContext,
  effect: EffectSnapshot,
  wait: (dueAt: Date | null, state?: WaitingState) => Change,
  step: "go-on" | "ask",
  dueAt: Date | null,
  settings: SourceSettings,
  now: Date,
): Change {
  if (context.decision?.question === "effect-outcome") return wait(dueAt, "awaiting-agent");
  if (step === "go-on" || effect.state !== "unknown") return wait(dueAt ?? later(now, settings.timing.retry.capMs));
  const followUp = requestOutcomeReview(effect, assessNotification(context, settings, now), settings, null, now);
  return { kind: "settle-read", effectId: effect.id, shown: "otherwise", move: { ...withPerson, dueAt }, followUp };
}

interface CallForPerson extends Escalation {
  readonly question: Question;
  readonly goesOn: boolean;
}

function escalationFor(
  { case: { failures, failingSince } }: OrderContext,
  error: unknown,
  failure: Failure,
  { timing }: SourceSettings,
  now: Date,
): CallForPerson | null {
  const fromGateway = gatewayFailureOf(error);
  if (fromGateway === null) {
    if (failures + 1 < internalFailuresMax || isOutsideTheOrder(failure.code)) return null;
    return {
      rule: "check:processing",
      question: "failed-processing",
      reason: { code: "processing-failed", text: failure.message },
      goesOn: false,
    };
  }
  if (fromGateway.phase === "answered" && !fromGateway.retryable && fromGateway.code !== badCredentials) {
    const words = fromGateway.gatewayText === null ? "" : ` It says: ${fromGateway.gatewayText}`;
    return {
      rule: "check:status",
      question: "unreadable-status",
      reason: { code: "status-refused", text: `${fromGateway.message}${words}` },
      goesOn: false,
    };
  }
  const since = failingSince ?? now;
  if (now.getTime() - since.getTime() < timing.escalateAfterMs) return null;
  return {
    rule: "check:gateway",
    question: "unreachable-gateway",
    reason: {
      code: "gateway-unreachable",
      text: `The gateway has not responded since ${since.toISOString()}. Skedchange keeps retrying. ${fromGateway.message}`,
    },
    goesOn: true,
  };
}

/** An unavailable database or a missing source setting needs no person: the order stays due. */
function isOutsideTheOrder(code: string): boolean {
  return (
    (code.startsWith("store.") && code !== "store.cannot_open") ||
    code === "desk.unknown_source" ||
    code.startsWith("ECONN") ||
    code === "EPIPE" ||
    /^(08|53|57|58)[0-9A-Z]{3}$/.test(code)
  );
}
