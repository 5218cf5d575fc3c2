import type { OrderView } from "../contract/order-view.ts";
import { type Assessment, assess, assessNotification } from "./assess.ts";
import { type CaseVerdict, decide, decisionSubject, inputsOf } from "./decide.ts";
import { isEffectAction, type Reason } from "./decision.ts";
import { createAttempt, isFresh } from "./effect-attempt.ts";
import { type Escalation, escalationVerdict, orderNotInStatus } from "./escalation.ts";
import type { DecisionSubject, NewDecision, NewShadowDecision } from "./new-decision.ts";
import type { OrderContext } from "./order-context.ts";
import { caseMoveFor, clockFor, newDecision, withDecision } from "./record-decision.ts";
import type { SourceSettings } from "./source-settings.ts";
import {
  type AssessedStatus,
  type DecisionChange,
  end,
  move,
  postponed,
  readStatus,
  type Step,
  type StepInputs,
} from "./step.ts";
import { isAlreadyAsked, pendingReview, reservedFor, resumeWaiting } from "./waiting.ts";

/**
 * Decides on a status, and carries the decision out at once while the status is fresh. A pending question about the
 * same proposal stays.
 * @param manualReviewReason set if the earlier decision could not be carried out and no rule may replace it.
 */
export function decideOnStatus(
  context: OrderContext,
  seen: AssessedStatus,
  manualReviewReason: Reason | null,
  settings: SourceSettings,
  stepInputs: StepInputs,
): Step {
  const { view, statusViewId, assessment, round } = seen;
  if (assessment === null) return escalateUnlisted(context, statusViewId, settings, stepInputs);
  if (manualReviewReason === null && isAlreadyAsked(context, assessment, settings)) {
    return continueReview(context, assessment, statusViewId, settings);
  }
  const reviewReason = manualReviewReason ?? reservedFor(context, assessment);
  const subject = decisionSubject(context, assessment, settings, reviewReason);
  const verdict = decide(subject, settings.policy);
  const { shadow, failure: shadowFailure } = decideInShadow(context, view, subject, verdict, settings, stepInputs);
  const made = newDecision(assessment, verdict, settings, statusViewId, stepInputs.now);
  const decision = { ...made, inputs: inputsOf(subject), shadow };
  const save = { ...decisionChange(context, assessment, verdict, decision, settings, stepInputs), shadowFailure };
  if (!isEffectAction(verdict.action)) return end("decided", save, "decided");
  if (save.move.undoUntil !== undefined) return end("decided", save, "undo-window");
  const contextAfterSave = withDecision(context, save, stepInputs.now);
  if (!isFresh(seen, stepInputs.now))
    return { ...readStatus("before-effect", round), id: "decided", save, contextAfterSave };
  const attempt = createAttempt(context.orderId, verdict.action, seen, assessment, true);
  return { id: "decided", save, contextAfterSave, next: { kind: "send", attempt } };
}

function escalateUnlisted(
  context: OrderContext,
  statusViewId: string,
  settings: SourceSettings,
  stepInputs: StepInputs,
): Step {
  const waiting = pendingReview(context, settings, stepInputs.now);
  if (waiting !== null) {
    const failure = { code: "desk.order_not_in_status", message: orderNotInStatus.reason.text };
    return end("already-asked", postponed(context, failure, waiting.dueAt, waiting.state), "unchanged");
  }
  return end("escalated", escalate(context, { ...orderNotInStatus, statusViewId }, settings, stepInputs), "decided");
}

/** Time has passed, or the traveller was informed: the clocks are read again although nothing is decided anew. */
function continueReview(
  context: OrderContext,
  assessment: Assessment,
  statusViewId: string,
  settings: SourceSettings,
): Step {
  const { priority } = decide(decisionSubject(context, assessment, settings, null), settings.policy);
  const dueBy = clockFor(context, assessment, priority, settings);
  const waiting = { ...resumeWaiting(context, assessment.evaluatedAt, dueBy?.at ?? null), priority, dueBy };
  const unchanged = { kind: "status.unchanged", detail: { statusViewId } };
  return end("already-asked", move(context, waiting, unchanged), "unchanged");
}

/**
 * Returns what the shadow policy would decide as if automation were not stopped, or null without one. A failure here
 * must not prevent the real decision.
 */
function decideInShadow(
  context: OrderContext,
  view: OrderView,
  subject: DecisionSubject,
  verdict: CaseVerdict,
  settings: SourceSettings,
  { now }: StepInputs,
): { readonly shadow: NewShadowDecision | null; readonly failure: unknown } {
  const { shadow: policy } = settings;
  if (policy === null) return noShadowDecision;
  const running = { automationStoppedAt: null };
  const active =
    verdict.question === "automation-stopped" ? decide({ ...subject, ...running }, settings.policy) : verdict;
  try {
    const assessment = assess(view, context, { ...settings, policy }, now);
    if (assessment === null) return noShadowDecision;
    const { action, reviewQueue, rule, reasons } = decide(
      decisionSubject({ ...context, ...running }, assessment, settings, subject.manualReviewReason),
      policy,
    );
    const differs = action !== active.action || reviewQueue !== active.reviewQueue;
    const reason = reasons[0]?.code ?? rule;
    return { shadow: { version: policy.version, action, reviewQueue, rule, reason, differs }, failure: null };
  } catch (error) {
    return { shadow: null, failure: error };
  }
}

const noShadowDecision = { shadow: null, failure: null };

/** Asks a person, with the facts of the notification. */
export function escalate(
  context: OrderContext,
  why: Escalation,
  settings: SourceSettings,
  stepInputs: StepInputs,
): DecisionChange {
  const assessment = assessNotification(context, settings, stepInputs.now);
  const verdict = escalationVerdict(assessment, why);
  const decision = newDecision(assessment, verdict, settings, why.statusViewId ?? null, stepInputs.now);
  return decisionChange(context, assessment, verdict, decision, settings, stepInputs);
}

function decisionChange(
  context: OrderContext,
  assessment: Assessment | null,
  verdict: CaseVerdict,
  decision: NewDecision,
  settings: SourceSettings,
  { now, newDecisionId }: StepInputs,
): DecisionChange {
  // A view without flights says nothing of what was booked.
  const isBookingSeen = assessment !== null && assessment.booked.segments.length > 0;
  const baseline = isBookingSeen ? { booked: assessment.booked, from: assessment.bookedFrom } : null;
  const to = caseMoveFor(context, assessment, verdict, settings, now);
  return { kind: "decision", id: newDecisionId, decision, move: to, baseline, shadowFailure: null };
}
