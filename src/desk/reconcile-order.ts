import { flightsDecidedBefore, flightsShown } from "../cases/accepted-flights.ts";
import { type Assessment, assess } from "../cases/assess.ts";
import { isByPerson, isEffectAction } from "../cases/decision.ts";
import { isFinished } from "../cases/lifecycle.ts";
import { isNothingOpen } from "../cases/open-change.ts";
import type { OrderContext, OrderKey } from "../cases/order-context.ts";
import { isNotifiedOfAnother, waitingOn } from "../cases/waiting.ts";
import { sameFlights } from "../itinerary/itinerary.ts";
import { codeOf } from "../kernel/app-error.ts";
import { carryOut, isHeldBack } from "./carry-out.ts";
import type { DeskContext } from "./desk-context.ts";
import { settingsOf } from "./desk-context.ts";
import { endSucceededEffect } from "./end-effect.ts";
import { withLease } from "./lease.ts";
import type { Lease } from "./ports.ts";
import { postpone } from "./postpone.ts";
import { readStatus } from "./read-status.ts";
import type { ReconcileOutcome } from "./reconcile-outcome.ts";
import { decideOnStatus, handOver } from "./record-decision.ts";
import { settleEffect } from "./settle-effect.ts";

/**
 * Brings one order up to date, whatever woke it: settle an effect whose outcome is open, carry out what was decided, or
 * read the status and decide. Level-triggered: it looks at the newest state only, so one run serves any number of
 * wake-ups, and running it once more changes nothing.
 *
 * @throws only when not even the failure could be written down; the order stays due and is dispatched again.
 */
export async function reconcileOrder(desk: DeskContext, key: OrderKey): Promise<ReconcileOutcome> {
  try {
    return (await withLease(desk, key, (lease) => reconcileUnderLease(desk, lease))) ?? "not-due";
  } catch (error) {
    if (codeOf(error) !== "desk.lease_lost") throw error;
    desk.logger.warn({ source: key.source, orderId: key.orderId }, "lease.lost");
    return "lease-lost";
  }
}

async function reconcileUnderLease(desk: DeskContext, lease: Lease): Promise<ReconcileOutcome> {
  let work: OrderContext | null = null;
  try {
    work = await desk.store.beginWork(lease);
    return work === null ? "not-due" : await reconcile(desk, lease, work);
  } catch (error) {
    if (codeOf(error) === "desk.lease_lost") throw error;
    // What was decided before it failed stands, so the failure is kept on the case as it is now.
    const current = await beginAgain(desk, lease, work);
    if (current !== null) await postpone(desk, lease, current, error);
    return "postponed";
  }
}

/** A notification that cannot be opened must end with a person as well, so the failure is kept without it. */
async function beginAgain(desk: DeskContext, lease: Lease, work: OrderContext | null): Promise<OrderContext | null> {
  return await desk.store.beginWork(lease, work === null ? "without-notification" : undefined);
}

async function reconcile(desk: DeskContext, lease: Lease, work: OrderContext): Promise<ReconcileOutcome> {
  if (work.liveEffect !== null) return await settleEffect(desk, lease, work, work.liveEffect);
  if (work.case.state === "accepting" || work.case.state === "cancelling") {
    return await endEffect(desk, lease, work);
  }
  if (isFinished(work.case.state)) return await lookAgain(desk, lease, work);
  if (work.case.gdsBookingReferences.length === 0) return await handOverWithoutReference(desk, lease, work);
  if (isToBeCarriedOut(work)) return await carryOut(desk, lease, work);
  return await readAndDecide(desk, lease, work);
}

/** A person decided, or the process that decided died before it sent anything. */
function isToBeCarriedOut({ decision, decisionHasEffect }: OrderContext): boolean {
  return decision !== null && isEffectAction(decision.action) && !decisionHasEffect;
}

/** The effect of this case is settled, and its process died before the case moved on. */
async function endEffect(desk: DeskContext, lease: Lease, work: OrderContext): Promise<ReconcileOutcome> {
  if (work.lastSuccess?.caseId === work.case.id) return await endSucceededEffect(desk, lease, work);
  const move = { state: "checking", reviewQueue: null, dueAt: desk.clock.now() } as const;
  await desk.store.move(lease, work.case, move, { kind: "effect.ended", detail: {} });
  return "postponed";
}

async function readAndDecide(desk: DeskContext, lease: Lease, work: OrderContext): Promise<ReconcileOutcome> {
  const status = await readStatus(desk, lease, work, "decide");
  const verdict = await decideOnStatus(desk, lease, work, status, null);
  if (verdict === "unchanged") return "unchanged";
  if (!isEffectAction(verdict.action)) return "decided";
  desk.crashPoint("after-decision");
  const decided = await desk.store.beginWork(lease);
  if (decided === null) return "decided";
  if (!isHeldBack(decided)) return await carryOut(desk, lease, decided);
  desk.crashPoint("after-held-back");
  return "held-back";
}

/** Nothing can be asked, so who is asked already, or has put the case off, is asked anew only about another change. */
async function handOverWithoutReference(
  desk: DeskContext,
  lease: Lease,
  work: OrderContext,
): Promise<ReconcileOutcome> {
  const waiting = isNotifiedOfAnother(work, settingsOf(desk, lease.source), desk.clock.now())
    ? null
    : waitingOn(work, desk.clock.now());
  if (waiting !== null) {
    await desk.store.move(lease, work.case, waiting, { kind: "status.unchanged", detail: {} });
    return "unchanged";
  }
  await handOver(desk, lease, work, {
    rule: "check:reference",
    question: null,
    reason: {
      code: "no-booking-reference",
      text: "The notification names no booking reference, so the gateway cannot be asked. Find the booking by its OrderID.",
    },
    statusViewId: null,
  });
  return "decided";
}

/**
 * A finished case was notified once more. When the status shows something that nobody dealt with, another case is opened;
 * otherwise there is nothing to do.
 */
async function lookAgain(desk: DeskContext, lease: Lease, work: OrderContext): Promise<ReconcileOutcome> {
  const shown = work.case.gdsBookingReferences.length > 0 ? await lookForNewWork(desk, lease, work) : "nothing";
  if (shown === "new-work") {
    await desk.store.openNextCase(lease, work.case);
    return "decided";
  }
  await desk.store.move(
    lease,
    work.case,
    { state: work.case.state, reviewQueue: null, dueAt: shown === "nothing" ? null : shown.lookAgainAt },
    { kind: "status.unchanged", detail: {} },
  );
  return "unchanged";
}

/** A status that still shows what was just accepted may hide what the notification tells of: it is read once more. */
async function lookForNewWork(
  desk: DeskContext,
  lease: Lease,
  work: OrderContext,
): Promise<"nothing" | "new-work" | { readonly lookAgainAt: Date }> {
  const { reading } = await readStatus(desk, lease, work, "decide");
  const assessment = assess(reading.view, work, settingsOf(desk, lease.source), desk.clock.now());
  if (assessment === null) return "nothing";
  const { lastSuccess, decision } = work;
  const { digest } = assessment.proposal;
  // What a person says is settled at the airline stays so, however long the gateway goes on showing it.
  const isSettled =
    work.case.state === "closed" ||
    (work.case.state === "resolved-elsewhere" && decision !== null && isByPerson(decision));
  if (isSettled && decision?.proposalDigest === digest) return nothingYet(desk, work, assessment);
  const lagEnds = new Date((lastSuccess?.finishedAt ?? assessment.evaluatedAt).getTime() + desk.timing.statusLagMs);
  const unlessItLags = assessment.evaluatedAt >= lagEnds ? "new-work" : { lookAgainAt: lagEnds };
  if (isNothingOpen(assessment.proposal)) {
    // The change that was notified may have been accepted by the effect of this case, in the place of the one decided about.
    const shown = isSuspected(desk, work, assessment) ? flightsShown(assessment, work) : "as-decided";
    if (shown === "as-decided") return nothingYet(desk, work, assessment);
    return shown === "other" ? "new-work" : unlessItLags;
  }
  return lastSuccess?.proposalDigest === digest ? unlessItLags : "new-work";
}

/**
 * Nothing to do, unless the newest notification tells of flights that the status does not show: it may have been stored
 * before, and is read once more when no status can be that old.
 */
function nothingYet(
  { timing }: DeskContext,
  { case: { notifiedAt } }: OrderContext,
  { notified, proposal, evaluatedAt }: Assessment,
): "nothing" | { readonly lookAgainAt: Date } {
  const isTold =
    notified === null || sameFlights(proposal.current, notified) || sameFlights(proposal.proposed, notified);
  if (isTold || notifiedAt === null) return "nothing";
  const lagEnds = new Date(notifiedAt.getTime() + timing.statusLagMs);
  return evaluatedAt < lagEnds ? { lookAgainAt: lagEnds } : "nothing";
}

/** Whether the effect that ended this case may have brought the flights that are shown as accepted. */
function isSuspected({ timing }: DeskContext, work: OrderContext, { proposal, evaluatedAt }: Assessment): boolean {
  if (work.case.state !== "done" || work.lastSuccess?.caseId !== work.case.id) return false;
  return flightsDecidedBefore(work, evaluatedAt, proposal.current, timing.statusLagMs) !== null;
}
