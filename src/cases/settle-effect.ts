import { sameFlights } from "../itinerary/itinerary.ts";
import { addMs, endingWith, toEffectState } from "./after-response.ts";
import type { Assessment } from "./assess.ts";
import { interrupted } from "./brake.ts";
import { type EffectOutcome, notSent, withoutResponse } from "./effect.ts";
import type { EffectSnapshot } from "./effect-snapshot.ts";
import { findObstacle } from "./find-obstacle.ts";
import { isStatus } from "./open-change.ts";
import type { OrderContext } from "./order-context.ts";
import { followUpCancelWithoutResponse } from "./refund-task.ts";
import { requestOutcomeReview, toAgentQueue } from "./review-effect.ts";
import type { SourceSettings } from "./source-settings.ts";
import { type AssessedStatus, type EffectAttempt, end, readStatus, type Step, type StepInputs } from "./step.ts";

/**
 * Settles an effect that an earlier run did not finish.
 * `planned`: left by an earlier version; nothing was sent, so it is dropped and the case is decided again. `sent`: the
 * process died or lost the order before the response, so the outcome is unknown. `unknown`: a status that shows the
 * effect confirms it; any other may be stale and proves nothing. After a few reads over a set time a person must find
 * out, but an accept whose proposal every read showed unchanged is sent once more first.
 */
export function settleLiveEffect(context: OrderContext, { timing }: SourceSettings, { now }: StepInputs): Step {
  const effect = context.liveEffect!;
  switch (effect.state) {
    case "planned": {
      const outcome = withoutResponse("failed", notSent, "The process ended before anything was sent.");
      const ending = endingWith({ state: "checking", reviewQueue: null, dueAt: now });
      return end("plan-dropped", saveOutcome(effect, outcome, ending), "postponed");
    }
    case "sent": {
      const text = "The process ended before the gateway's response was stored.";
      const outcome = withoutResponse("unknown", interrupted, text);
      const ending = endingWith(toEffectState(effect.action, addMs(now, timing.settleReadsMs[0] ?? 0)));
      return end("interruption-recorded", saveOutcome(effect, outcome, ending), "settling");
    }
    default:
      return readStatus("settle");
  }
}

function saveOutcome({ id }: EffectSnapshot, outcome: EffectOutcome, ending: ReturnType<typeof endingWith>) {
  return { kind: "effect-outcome", effectId: id, outcome, ending, isResponse: false } as const;
}

export function settleByStatus(
  context: OrderContext,
  seen: AssessedStatus,
  settings: SourceSettings,
  stepInputs: StepInputs,
): Step {
  const effect = context.liveEffect!;
  const { assessment } = seen;
  if (showsEffect(assessment, effect)) return confirm(effect, stepInputs);

  const shown = assessment !== null && showsUnchanged(assessment, effect) ? "unchanged" : "otherwise";
  const readLater = (waitMs: number): Step => {
    const move = toEffectState(effect.action, addMs(stepInputs.now, waitMs));
    const read = { kind: "settle-read", effectId: effect.id, shown, move, followUp: null } as const;
    return end("settle-read-counted", read, "settling");
  };
  const nextWaitMs = settings.timing.settleReadsMs[effect.settleReads + 1];
  if (nextWaitMs !== undefined) return readLater(nextWaitMs);

  const isUnchanged = shown === "unchanged" && effect.unchangedReads === effect.settleReads;
  if (isUnchanged && mayBeSentAgain(context, effect)) {
    const leftMs = resendDelayMs(settings, effect);
    return leftMs > 0 ? readLater(leftMs) : readStatus("send-again");
  }
  return askPerson(context, shown, seen, settings, stepInputs);
}

export function sendAgain(
  context: OrderContext,
  seen: AssessedStatus,
  settings: SourceSettings,
  stepInputs: StepInputs,
): Step {
  const effect = context.liveEffect!;
  const { decision } = context;
  const { assessment } = seen;
  const isSame = assessment !== null && showsUnchanged(assessment, effect);
  if (!isSame || decision === null || findObstacle(context, decision, assessment, settings) !== null) {
    if (showsEffect(assessment, effect)) return confirm(effect, stepInputs);
    return askPerson(context, "otherwise", seen, settings, stepInputs);
  }
  const { id: effectId, action, gdsBookingReferences, proposalDigest, expectedRefund } = effect;
  const again = { effectId, action, gdsBookingReferences, proposalDigest, expectedRefund };
  const attempt: EffectAttempt = { ...again, assessment, freshUntil: null, isJustDecided: false };
  return { id: "send-again", save: null, next: { kind: "send", attempt } };
}

function askPerson(
  context: OrderContext,
  shown: "unchanged" | "otherwise",
  { assessment, statusViewId }: AssessedStatus,
  settings: SourceSettings,
  { now }: StepInputs,
): Step {
  const effect = context.liveEffect!;
  const isAsked = context.decision?.question === "effect-outcome";
  const followUp = isAsked ? null : requestOutcomeReview(effect, assessment, settings, statusViewId, now);
  const read = { kind: "settle-read", effectId: effect.id, shown, move: toAgentQueue, followUp } as const;
  return end("escalated", read, "decided");
}

/** The status shows the effect. A response from a process presumed dead takes precedence. */
function confirm(effect: EffectSnapshot, { now }: StepInputs): Step {
  const outcome: EffectOutcome = { state: "succeeded", results: null, error: null, response: null };
  const ending = {
    move: toEffectState(effect.action, now),
    accepted: effect.action === "accept" ? effect.proposed : null,
    followUp: null,
    refund: effect.action === "cancel" ? followUpCancelWithoutResponse(effect, now) : null,
  };
  return { id: "effect-confirmed", save: saveOutcome(effect, outcome, ending), next: { kind: "load" } };
}

/** Whether an unknown effect may be sent once more: only an accept, only once, and only under its own decision. */
function mayBeSentAgain({ decision }: OrderContext, { action, sends, decisionId }: EffectSnapshot): boolean {
  return action === "accept" && sends === 1 && decision?.id === decisionId;
}

/**
 * Returns the milliseconds to wait before that, 0 or less if over: the settle lag, so that a stored status was
 * replaced, or the longest call plus a lease, so that nobody is still sending.
 */
function resendDelayMs({ timing }: SourceSettings, { sentAgoMs }: EffectSnapshot): number {
  const lagMs = timing.settleReadsMs.reduce((sum, waitMs) => sum + waitMs, 0);
  return Math.max(lagMs, timing.callMaxMs + timing.leaseMs) - (sentAgoMs ?? 0);
}

/** Whether a status shows the effect's own proposal, still open. A blank or answered status does not. */
function showsUnchanged({ proposal }: Assessment, effect: EffectSnapshot): boolean {
  const { pnrStatus, scheduleChangeStatus, referencesAllowing } = proposal;
  const isSettled = scheduleChangeStatus.known && !isStatus(scheduleChangeStatus, "Initiated");
  return (
    proposal.digest === effect.proposalDigest &&
    pnrStatus.known &&
    !isSettled &&
    effect.gdsBookingReferences.every((reference) => referencesAllowing[effect.action].includes(reference))
  );
}

/**
 * Whether the status shows the result of the effect. PnrStatus CANCELLED may also be the airline's cancellation, and
 * Rejected may be left over from an earlier change, so either proves a cancel only together with the flag N. A missing
 * flag proves nothing.
 */
function showsEffect(assessment: Assessment | null, effect: EffectSnapshot): boolean {
  if (assessment === null) return false;
  const { scheduleChangeStatus, pnrStatus, flags, referencesAllowing, current } = assessment.proposal;
  if (referencesAllowing.accept.length > 0 || referencesAllowing.cancel.length > 0) return false;
  switch (effect.action) {
    case "accept":
      return (
        isStatus(scheduleChangeStatus, "Accepted") && effect.proposed !== null && sameFlights(current, effect.proposed)
      );
    case "cancel":
      return (
        (isStatus(scheduleChangeStatus, "Rejected") || isStatus(pnrStatus, "CANCELLED")) && isStatus(flags.cancel, "N")
      );
  }
}
