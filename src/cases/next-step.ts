import { afterFailure } from "./after-failure.ts";
import { afterRefusedPlan, afterResponse } from "./after-response.ts";
import { assess } from "./assess.ts";
import { carryOut } from "./carry-out.ts";
import { decideOnStatus, escalate } from "./decide-on-status.ts";
import { isEffectAction } from "./decision.ts";
import { afterDocuments, afterStatusOfEffect, afterUnreadableStatus } from "./end-effect.ts";
import { isFinished } from "./lifecycle.ts";
import type { OrderContext } from "./order-context.ts";
import { endWithoutNewWork, recheckFinishedCase } from "./recheck-finished-case.ts";
import { sendAgain, settleByStatus, settleLiveEffect } from "./settle-effect.ts";
import type { SourceSettings } from "./source-settings.ts";
import { type AssessedStatus, end, move, type OrderEvent, readStatus, type Step, type StepInputs } from "./step.ts";
import { isNotifiedOfAnother, resumeWaitingIfAsked } from "./waiting.ts";

/**
 * Returns the next step for an order. Pure. A run begins with the order's current state and not with the reason why it
 * is due, so one run serves any number of requeues, and a needless run changes nothing.
 */
export function nextStep(
  context: OrderContext,
  event: OrderEvent,
  settings: SourceSettings,
  stepInputs: StepInputs,
): Step {
  switch (event.kind) {
    case "loaded":
      return event.after === "success" ? afterSuccess(context) : startRun(context, settings, stepInputs);
    case "status-read":
      return afterStatus(context, event, settings, stepInputs);
    case "status-unreadable":
      return afterUnreadableStatus(context, event, settings, stepInputs);
    case "documents-read":
      return afterDocuments(context, event, settings, stepInputs);
    case "plan-refused":
      return afterRefusedPlan(event.attempt, settings, stepInputs);
    case "responded":
      return afterResponse(context, event, settings, stepInputs);
    case "failed":
      return afterFailure(context, event.error, settings, stepInputs);
  }
}

function startRun(context: OrderContext, settings: SourceSettings, stepInputs: StepInputs): Step {
  return starts.find(({ holds }) => holds(context))!.step(context, settings, stepInputs);
}

/** The order was loaded again after the outcome was saved, and somebody may have ended the case in between. */
function afterSuccess(context: OrderContext): Step {
  return hasSucceeded(context) ? readStatus("after-effect") : end("already-ended", null, "carried-out");
}

interface Start {
  readonly when: string;
  readonly does: string;
  readonly holds: (context: OrderContext) => boolean;
  readonly step: (context: OrderContext, settings: SourceSettings, stepInputs: StepInputs) => Step;
}

/** The first that holds is taken, so each may rely on those above it not holding. docs/architecture.md shows them. */
export const starts: readonly Start[] = [
  {
    when: "an effect may have been sent, and its outcome is not known",
    does: "settle it",
    holds: ({ liveEffect }) => liveEffect !== null,
    step: settleLiveEffect,
  },
  {
    when: "the effect of this case has succeeded",
    does: "read the status once more and end the case",
    holds: hasSucceeded,
    step: () => readStatus("after-effect"),
  },
  {
    when: "the effect of this case has ended otherwise, and its process died",
    does: "check the case again",
    holds: isCarryingOut,
    step: (context, _settings, { now }) => {
      const requeued = { state: "checking", reviewQueue: null, dueAt: now } as const;
      return end("requeued", move(context, requeued, { kind: "effect.ended", detail: {} }), "postponed");
    },
  },
  {
    when: "the case is finished, and was notified once more",
    does: "read the status: what nobody dealt with opens another case",
    holds: (context) => isFinished(context.case.state),
    step: (context) =>
      context.case.gdsBookingReferences.length > 0 ? readStatus("recheck-finished") : endWithoutNewWork(context, null),
  },
  {
    when: "no booking reference of the order is known",
    does: "ask a person to enter it",
    holds: (context) => context.case.gdsBookingReferences.length === 0,
    step: escalateWithoutReference,
  },
  {
    when: "an accept or a cancel is decided, and not sent yet",
    does: "read the status and carry it out, if it still means the same",
    holds: ({ decision, decisionHasEffect }) =>
      decision !== null && isEffectAction(decision.action) && !decisionHasEffect,
    step: () => readStatus("before-effect"),
  },
  {
    when: "anything else",
    does: "read the status and decide",
    holds: () => true,
    step: () => readStatus("decide"),
  },
];

function hasSucceeded(context: OrderContext): boolean {
  return isCarryingOut(context) && context.lastSuccess?.caseId === context.case.id;
}

function isCarryingOut({ case: { state } }: OrderContext): boolean {
  return state === "accepting" || state === "cancelling";
}

/**
 * Asks a person. A case that waits for one already, or is snoozed, stays as it is unless another change was notified since.
 */
function escalateWithoutReference(context: OrderContext, settings: SourceSettings, stepInputs: StepInputs): Step {
  const { now } = stepInputs;
  const waiting = isNotifiedOfAnother(context, settings, now) ? null : resumeWaitingIfAsked(context, now);
  if (waiting !== null) return end("already-asked", move(context, waiting), "unchanged");
  const text =
    "No booking reference of this order is known, so its status cannot be read. Find it by the OrderID and enter it: the case then goes on by itself.";
  const why = { rule: "check:reference", question: null, reason: { code: "no-booking-reference", text } } as const;
  return end("escalated", escalate(context, why, settings, stepInputs), "decided");
}

function afterStatus(
  context: OrderContext,
  event: Extract<OrderEvent, { kind: "status-read" }>,
  settings: SourceSettings,
  stepInputs: StepInputs,
): Step {
  if (event.why === "after-effect") return afterStatusOfEffect(context, event, settings, stepInputs);
  // Facts and passenger rights are costly: they are computed here, once for each status. After an effect they are computed
  // only if a person is asked.
  const seen: AssessedStatus = { ...event, assessment: assess(event.view, context, settings, stepInputs.now) };
  switch (event.why) {
    case "decide":
      return decideOnStatus(context, seen, null, settings, stepInputs);
    case "recheck-finished":
      return recheckFinishedCase(context, seen, settings);
    case "before-effect":
      return carryOut(context, seen, settings, stepInputs);
    case "settle":
      return settleByStatus(context, seen, settings, stepInputs);
    case "send-again":
      return sendAgain(context, seen, settings, stepInputs);
  }
}
