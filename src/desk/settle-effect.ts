import { type Assessment, assess } from "../cases/assess.ts";
import type { EffectOutcome } from "../cases/effect.ts";
import type { EffectSnapshot, OrderContext } from "../cases/order-context.ts";
import { followUpUnansweredCancel } from "../cases/refund-task.ts";
import { sameFlights } from "../itinerary/itinerary.ts";
import type { Proposal } from "../itinerary/proposal.ts";
import { onlyMove, underWay } from "./after-effect.ts";
import type { DeskContext } from "./desk-context.ts";
import { settingsOf } from "./desk-context.ts";
import { notSent } from "./effect-outcome.ts";
import { endSucceededEffect } from "./end-effect.ts";
import type { Lease } from "./ports.ts";
import { readStatus } from "./read-status.ts";
import type { ReconcileOutcome } from "./reconcile-outcome.ts";
import { askAboutOutcome } from "./record-decision.ts";
import { mayBeSentAgain, quietLeftMs, type Sighting, sendAgain, showsUnchanged } from "./send-again.ts";

/**
 * Finds out what became of an effect that an earlier run did not see to its end.
 *
 * `planned`: nothing was sent, so it is dropped and the case is looked at afresh. `sent`: its process died or lost the
 * order while the answer was under way, so it is unknown. `unknown`: a status that shows the effect confirms it; any other
 * status proves nothing, because it may be a stored one. So after a few reads over a set time a person must find out,
 * unless it is an accept of which every read showed the proposal unchanged: that one is sent once more first.
 */
export async function settleEffect(
  desk: DeskContext,
  lease: Lease,
  work: OrderContext,
  effect: EffectSnapshot,
): Promise<ReconcileOutcome> {
  const now = desk.clock.now();
  if (effect.state === "planned") {
    const dropped = without("failed", notSent, "The process ended before anything was sent.");
    const afresh = onlyMove({ state: "checking", reviewQueue: null, dueAt: now });
    await desk.store.finishEffect(lease, work.case, effect.id, dropped, afresh);
    desk.crashPoint("after-plan-dropped");
    return "postponed";
  }
  if (effect.state === "sent") {
    const interrupted = without(
      "unknown",
      "desk.interrupted",
      "The process ended before the gateway's answer was kept.",
    );
    const readAt = new Date(now.getTime() + (desk.timing.settleReadsMs[0] ?? 0));
    await desk.store.finishEffect(lease, work.case, effect.id, interrupted, onlyMove(underWay(effect.action, readAt)));
    desk.crashPoint("after-interruption-noted");
    return "settling";
  }
  return await settleUnknown(desk, lease, work, effect);
}

function without(state: "failed" | "unknown", code: string, message: string): EffectOutcome {
  return { state, results: null, error: { code, message }, answer: null };
}

async function settleUnknown(
  desk: DeskContext,
  lease: Lease,
  work: OrderContext,
  effect: EffectSnapshot,
): Promise<ReconcileOutcome> {
  desk.crashPoint("before-settle-read");
  const { reading, statusViewId } = await readStatus(desk, lease, work, "settle-unknown");
  desk.crashPoint("after-settle-read");
  const assessment = assess(reading.view, work, settingsOf(desk, lease.source), desk.clock.now());
  if (isShownBy(assessment, effect)) return await confirm(desk, lease, work, effect);

  const shown = assessment !== null && showsUnchanged(assessment, effect) ? "unchanged" : "otherwise";
  const count = async (waitMs: number): Promise<ReconcileOutcome> => {
    const move = underWay(effect.action, new Date(desk.clock.now().getTime() + waitMs));
    await desk.store.countSettleRead(lease, work.case, effect.id, shown, move, null);
    desk.crashPoint("after-settle-read-counted");
    return "settling";
  };
  const nextWaitMs = desk.timing.settleReadsMs[effect.settleReads + 1];
  if (nextWaitMs !== undefined) return await count(nextWaitMs);

  const isUnchanged = shown === "unchanged" && effect.unchangedReads === effect.settleReads;
  if (isUnchanged && mayBeSentAgain(work, effect)) {
    const leftMs = quietLeftMs(desk, effect);
    if (leftMs > 0) return await count(leftMs);
    const again = await sendAgain(desk, lease, work, effect);
    if ("sent" in again) return again.sent;
    if (isShownBy(again.shown.assessment, effect)) return await confirm(desk, lease, work, effect);
    return await askPerson(desk, lease, work, effect, "otherwise", again.shown);
  }
  return await askPerson(desk, lease, work, effect, shown, { assessment, statusViewId });
}

async function askPerson(
  desk: DeskContext,
  lease: Lease,
  work: OrderContext,
  effect: EffectSnapshot,
  shown: "unchanged" | "otherwise",
  { assessment, statusViewId }: Sighting,
): Promise<ReconcileOutcome> {
  const alreadyAsked = work.decision?.question === "effect-outcome";
  await desk.store.countSettleRead(
    lease,
    work.case,
    effect.id,
    shown,
    { state: "awaiting-agent", reviewQueue: "agent", dueAt: null },
    alreadyAsked ? null : askAboutOutcome(desk, lease, effect, assessment, statusViewId),
  );
  desk.crashPoint("after-person-asked");
  return "decided";
}

async function confirm(
  desk: DeskContext,
  lease: Lease,
  work: OrderContext,
  effect: EffectSnapshot,
): Promise<ReconcileOutcome> {
  const shown = { state: "succeeded", results: null, error: null, answer: null } as const;
  await desk.store.finishEffect(lease, work.case, effect.id, shown, {
    move: underWay(effect.action, desk.clock.now()),
    accepted: effect.action === "accept" ? effect.proposed : null,
    followUp: null,
    refund: effect.action === "cancel" ? followUpUnansweredCancel(effect, desk.clock.now()) : null,
  });
  desk.crashPoint("after-effect-confirmed");
  const confirmed = await desk.store.beginWork(lease);
  // The answer may have come after all, from the process that was thought to be gone, and have moved the case.
  if (confirmed === null || confirmed.lastSuccess?.id !== effect.id) return "carried-out";
  return await endSucceededEffect(desk, lease, confirmed);
}

/**
 * Whether the status shows what the effect was to bring about. The airline's own cancellation is PnrStatus CANCELLED as
 * well, and Rejected may be left over from an earlier change; so either proves a cancel only together with a flag that
 * says N. A missing one says nothing.
 */
function isShownBy(assessment: Assessment | null, effect: EffectSnapshot): boolean {
  if (assessment === null) return false;
  const { proposal } = assessment;
  const status = proposal.scheduleChangeStatus.known ? proposal.scheduleChangeStatus.value : "";
  const stillOffered = proposal.referencesAllowing.accept.length > 0 || proposal.referencesAllowing.cancel.length > 0;
  if (stillOffered) return false;
  switch (effect.action) {
    case "accept":
      return status === "Accepted" && effect.proposed !== null && sameFlights(proposal.current, effect.proposed);
    case "cancel":
      return (status === "Rejected" || isCancelled(proposal)) && isN(proposal.flags.cancel);
  }
}

function isCancelled({ pnrStatus }: Proposal): boolean {
  return pnrStatus.known && pnrStatus.value === "CANCELLED";
}

function isN(flag: Proposal["flags"]["cancel"]): boolean {
  return flag.known && flag.value === "N";
}
