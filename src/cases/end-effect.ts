import { type Proposal, readProposal } from "../itinerary/proposal.ts";
import { compareAcceptedFlights } from "./accepted-flights.ts";
import { assess, assessNotification } from "./assess.ts";
import { headlineOfOther } from "./case-summary.ts";
import type { NewTask } from "./case-update.ts";
import { acceptedOtherFlights } from "./checks.ts";
import { doubtsOfConfirmed } from "./confirmed-effect.ts";
import type { EffectAction, Reason } from "./decision.ts";
import { type AcceptedOrder, informTasks, tasksAfterAccept } from "./effect-tasks.ts";
import { openReferencesLeftOut, stillOpenReferences } from "./open-change.ts";
import type { OrderContext } from "./order-context.ts";
import { followUpCancelWithoutResponse } from "./refund-task.ts";
import { reviewEffect, toAgentQueue } from "./review-effect.ts";
import type { SourceSettings } from "./source-settings.ts";
import { decision, end, move, type OrderEvent, type StatusAfter, type Step, type StepInputs } from "./step.ts";

/**
 * Ends a case whose effect succeeded, unless the status contradicts it. One that is still open for every booking
 * reference does not: statuses are stored and lag.
 */
export function afterStatusOfEffect(
  context: OrderContext,
  { view, statusViewId }: Extract<OrderEvent, { kind: "status-read" }>,
  settings: SourceSettings,
  stepInputs: StepInputs,
): Step {
  const proposal = readProposal(view, context.orderId, context.storedDigests);
  return afterEffect(context, { view, proposal, statusViewId }, settings, stepInputs);
}

/** Attempts to read the status after an effect, over about two minutes, before the case ends without one. */
const statusReadsMax = 8;

/** Retries for a while, since only the status shows which flights were accepted; then the response counts. */
export function afterUnreadableStatus(
  context: OrderContext,
  { failure }: Extract<OrderEvent, { kind: "status-unreadable" }>,
  settings: SourceSettings,
  stepInputs: StepInputs,
): Step {
  const mayBeReadLater = context.case.failures < statusReadsMax && (failure.phase !== "responded" || failure.retryable);
  if (mayBeReadLater) return { id: "status-unreadable", save: null, next: { kind: "fail", error: failure } };
  return afterEffect(context, failure.message, settings, stepInputs);
}

function afterEffect(
  context: OrderContext,
  after: StatusAfter,
  settings: SourceSettings,
  stepInputs: StepInputs,
): Step {
  const { now } = stepInputs;
  const action: EffectAction = context.case.state === "cancelling" ? "cancel" : "accept";
  const seen = typeof after === "string" || after.proposal === null ? null : after;
  const proposal = seen?.proposal ?? null;
  const rereadAt = proposal === null ? null : staleStatusRereadAt(action, proposal, context, settings, now);
  if (proposal !== null && rereadAt !== null) {
    const waiting = { state: context.case.state, reviewQueue: null, dueAt: rereadAt };
    const detail = { effectId: context.lastSuccess?.id, statusViewId: seen?.statusViewId };
    const contradicts = contradictsEffect(action, proposal, context)
      ? { kind: "status.contradicts", detail }
      : undefined;
    return end("status-lags", move(context, waiting, contradicts), "settling");
  }
  const reason =
    proposal === null ? contradictionBefore(action, context) : contradictionOf(action, proposal, context, now);
  if (reason !== null) {
    const assessment =
      seen === null ? assessNotification(context, settings, now) : assess(seen.view, context, settings, now);
    const review = reviewEffect(assessment, reason, settings, seen?.statusViewId ?? null, now);
    const headline = assessment === null ? null : headlineOfOther(context, assessment, reason);
    const asked = { ...toAgentQueue, dueAt: dueAfterEnd(context, now), ...(headline === null ? {} : { headline }) };
    return end("escalated", decision(stepInputs.newDecisionId, review, asked), "carried-out");
  }
  if (action === "cancel") return done(context, after, refundTasks(context, after, now), settings, stepInputs);
  // A gateway that fails to return the status is not asked for the documents.
  const notRead = typeof after === "string" ? after : settings.gateway.showsTickets ? null : noTickets;
  if (notRead !== null) return doneAccepting(context, after, notRead, settings, stepInputs);
  return { id: "read-documents", save: null, next: { kind: "read-documents", after } };
}

const noTickets = "This gateway shows no tickets.";

export function afterDocuments(
  context: OrderContext,
  { documents, after }: Extract<OrderEvent, { kind: "documents-read" }>,
  settings: SourceSettings,
  stepInputs: StepInputs,
): Step {
  return doneAccepting(context, after, documents, settings, stepInputs);
}

function doneAccepting(
  context: OrderContext,
  after: StatusAfter,
  documents: AcceptedOrder["documents"],
  settings: SourceSettings,
  stepInputs: StepInputs,
): Step {
  return done(context, after, tasksAfterAccept(context, after, documents, stepInputs.now), settings, stepInputs);
}

function done(
  context: OrderContext,
  after: StatusAfter,
  checks: readonly NewTask[],
  settings: SourceSettings,
  { now }: StepInputs,
): Step {
  const tasks = [...checks, ...informTasks(context, settings, now)];
  const detail =
    typeof after === "string"
      ? { message: `The status could not be read afterwards: ${after}` }
      : { statusViewId: after.statusViewId };
  const to = { state: "done", reviewQueue: null, dueAt: dueAfterEnd(context, now) } as const;
  return end("case-done", { ...move(context, to, { kind: "case.done", detail }), tasks }, "carried-out");
}

/** A notification during the effect may announce another change, so the case is processed once more. */
function dueAfterEnd({ lastSuccess }: OrderContext, now: Date): Date | null {
  return lastSuccess?.notifiedSince === true ? now : null;
}

/** A cancel that a person confirmed has no stated refund, so a task is opened to ask for one. */
function refundTasks({ lastSuccess }: OrderContext, after: StatusAfter, now: Date): readonly NewTask[] {
  if (lastSuccess === null || lastSuccess.refundCheck !== null) return [];
  const { task } = followUpCancelWithoutResponse(lastSuccess, now);
  if (task === null) return [];
  const doubts = lastSuccess.confirmedByPerson ? doubtsOfConfirmed(lastSuccess, after) : [];
  return [{ ...task, reasons: [...doubts, ...task.reasons] }];
}

function contradictionBefore(action: EffectAction, { lastSuccess }: OrderContext): Reason | null {
  if (lastSuccess?.contradicted !== true) return null;
  const text = `The gateway responded with SUCCESS to ${action}, but its status contradicts that and could not be read again. Check the booking with the airline.`;
  return { code: "status-contradicts-result", text };
}

/** Returns when to read a contradicting or old status again, because it may be stale; null if it need not be. */
function staleStatusRereadAt(
  action: EffectAction,
  proposal: Proposal,
  context: OrderContext,
  { timing }: SourceSettings,
  now: Date,
): Date | null {
  const finishedAt = context.lastSuccess?.finishedAt ?? null;
  const isStale = action === "accept" && compareAcceptedFlights(proposal, context, now) === "stale";
  if (finishedAt === null || !(isStale || contradictsEffect(action, proposal, context))) return null;
  let readAt = finishedAt.getTime();
  for (const waitMs of timing.settleReadsMs) {
    readAt += waitMs;
    if (readAt > now.getTime()) return new Date(readAt);
  }
  return null;
}

function contradictionOf(action: EffectAction, proposal: Proposal, context: OrderContext, now: Date): Reason | null {
  if (action === "accept" && compareAcceptedFlights(proposal, context, now) !== "match") return acceptedOtherFlights;
  const open = openAfter(proposal, context);
  if (open.length > 0) {
    const text = `The ${action} covered only some booking references: it is still open for ${open.join(", ")}. ${decideAbout(open)}`;
    return { code: "mixed-results", text };
  }
  const leftOut = leftOutReason(action, proposal, context);
  if (leftOut !== null) return leftOut;
  const status = contradictingStatus(action, proposal);
  if (status === null) return null;
  const text = `The gateway responded with SUCCESS to ${action}, but its status is now ${status}. Check the booking with the airline.`;
  return { code: "status-contradicts-result", text };
}

function decideAbout(references: readonly string[]): string {
  return `Decide about ${references.length === 1 ? "that one" : "those"}.`;
}

/** A person may accept for one reference while the airline has cancelled another. */
function leftOutReason(action: EffectAction, proposal: Proposal, { lastSuccess }: OrderContext): Reason | null {
  if (lastSuccess === null) return null;
  const leftOut = openReferencesLeftOut(lastSuccess, proposal);
  if (leftOut.length === 0) return null;
  const sentFor = lastSuccess.gdsBookingReferences.join(", ");
  const text = `The ${action} was sent for ${sentFor} only, and a change is still open for ${leftOut.join(", ")}. ${decideAbout(leftOut)}`;
  return { code: "reference-left-open", text };
}

function contradictsEffect(action: EffectAction, proposal: Proposal, context: OrderContext): boolean {
  return contradictingStatus(action, proposal) !== null || openAfter(proposal, context).length > 0;
}

function openAfter(proposal: Proposal, { lastSuccess }: OrderContext): readonly string[] {
  return lastSuccess === null ? [] : stillOpenReferences(lastSuccess, proposal);
}

function contradictingStatus(action: EffectAction, { scheduleChangeStatus: status }: Proposal): string | null {
  const opposite = action === "accept" ? ["Rejected", "Partially-Accepted"] : ["Accepted", "Partially-Accepted"];
  return status.known && opposite.includes(status.value) ? status.value : null;
}
