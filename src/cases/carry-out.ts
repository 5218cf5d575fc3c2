import { decideOnStatus } from "./decide-on-status.ts";
import { isByPerson, isEffectAction, type Reason } from "./decision.ts";
import { createAttempt } from "./effect-attempt.ts";
import { findObstacle, type Obstacle } from "./find-obstacle.ts";
import type { DecisionSnapshot, OrderContext } from "./order-context.ts";
import type { SourceSettings } from "./source-settings.ts";
import { type AssessedStatus, end, move, type Step, type StepInputs } from "./step.ts";
import { isInUndoWindow } from "./undo-window.ts";

/** How many statuses of one run may be too old and show another proposal before a person is asked. */
const statusReadsMax = 3;

/**
 * Carries out the accept or cancel in force if it still means the same.
 * Accept and Cancel name only the order, so they act on whatever is pending when they arrive. If the status, read right
 * before, shows another proposal or other flags, nothing is sent and the case is decided anew. In the undo window
 * nothing is sent either.
 */
export function carryOut(
  context: OrderContext,
  seen: AssessedStatus,
  settings: SourceSettings,
  stepInputs: StepInputs,
): Step {
  const { decision } = context;
  if (decision === null || !isEffectAction(decision.action)) return end("no-effect-decided", null, "decided");
  const { assessment } = seen;
  const obstacle = assessment === null ? notShown : findObstacle(context, decision, assessment, settings);
  if (assessment === null || obstacle !== null) {
    const manualReviewReason = manualReviewReasonFor(decision, obstacle ?? notShown, seen.round);
    return reportAsDecided(
      decideOnStatus(context, { ...seen, round: seen.round + 1 }, manualReviewReason, settings, stepInputs),
    );
  }
  if (isInUndoWindow(context)) return waitForUndoWindow(context, seen.statusViewId, stepInputs);
  const attempt = createAttempt(context.orderId, decision.action, seen, assessment, false);
  return { id: "send", save: null, next: { kind: "send", attempt } };
}

/** An effect that is not sent is reported as decided, not as unchanged. */
function reportAsDecided(step: Step): Step {
  const isUnchanged = step.next.kind === "end" && step.next.outcome === "unchanged";
  return isUnchanged ? { ...step, next: { kind: "end", outcome: "decided" } } : step;
}

/** A notification or a person made the case due early. The decision and its undo window stay. */
function waitForUndoWindow(context: OrderContext, statusViewId: string, { now }: StepInputs): Step {
  const dueAt = new Date(now.getTime() + (context.case.undoLeftMs ?? 0));
  const unchanged = { kind: "status.unchanged", detail: { statusViewId } };
  return end("undo-window", move(context, { state: "checking", reviewQueue: null, dueAt }, unchanged), "undo-window");
}

const notShown: Obstacle = { because: "proposal-changed" };

function manualReviewReasonFor(decision: DecisionSnapshot, obstacle: Obstacle, round: number): Reason | null {
  if (isByPerson(decision)) return { code: obstacle.because, text: describe(obstacle, decision.action) };
  if (round < statusReadsMax) return null;
  return {
    code: "proposal-unsettled",
    text: "The gateway shows a different proposal on every read, so nothing was sent. Ask the gateway or the airline which one is valid.",
  };
}

function describe(obstacle: Obstacle, action: string): string {
  switch (obstacle.because) {
    case "status-says-more":
      return `After the decision to ${action} the status says that ${obstacle.concerns.join(", and that ")}; nothing was sent.`;
    case "traveller-answered":
      return `The traveller answered after the decision to ${action}, so nothing was sent. Decide again with their answer.`;
    default:
      return `The proposal or its flags changed after the decision to ${action}, so nothing was sent.`;
  }
}
