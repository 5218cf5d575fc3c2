import { sameFlights } from "../itinerary/itinerary.ts";
import type { Proposal } from "../itinerary/proposal.ts";
import { type Assessment, assess, assessmentBasis } from "./assess.ts";
import type { DeskContext } from "./desk-context.ts";
import { notSent } from "./effect-outcome.ts";
import { endSucceededEffect } from "./end-effect.ts";
import type { CaseMove, EffectSnapshot, Lease, Work } from "./ports.ts";
import { readStatus } from "./read-status.ts";
import type { ReconcileOutcome } from "./reconcile-outcome.ts";
import { askAboutOutcome, effectRule } from "./record-decision.ts";

/**
 * Finds out what became of an effect that an earlier run did not see to its end.
 *
 * `planned`: nothing was sent, so it is dropped and the case is looked at afresh. `sent`: its process died or lost the
 * order while the answer was under way, so it is unknown. `unknown`: a status that shows the effect confirms it; any other
 * status proves nothing, because it may be a stored one, so after a few reads over a set time a person must find out.
 * Nothing is ever sent from here.
 */
export async function settleEffect(
  desk: DeskContext,
  lease: Lease,
  work: Work,
  effect: EffectSnapshot,
): Promise<ReconcileOutcome> {
  const now = desk.clock.now();
  if (effect.state === "planned") {
    await desk.store.finishEffect(
      lease,
      work.case,
      effect.id,
      {
        state: "failed",
        results: null,
        error: { code: notSent, message: "The process ended before anything was sent." },
        answer: null,
      },
      { state: "checking", reviewQueue: null, dueAt: now },
      null,
      null,
    );
    return "postponed";
  }
  if (effect.state === "sent") {
    await desk.store.finishEffect(
      lease,
      work.case,
      effect.id,
      {
        state: "unknown",
        results: null,
        error: { code: "desk.interrupted", message: "The process ended before the gateway's answer was kept." },
        answer: null,
      },
      waiting(effect, new Date(now.getTime() + (desk.timing.settleReadsMs[0] ?? 0))),
      null,
      null,
    );
    return "settling";
  }
  return await settleUnknown(desk, lease, work, effect);
}

async function settleUnknown(
  desk: DeskContext,
  lease: Lease,
  work: Work,
  effect: EffectSnapshot,
): Promise<ReconcileOutcome> {
  const { reading, statusViewId } = await readStatus(desk, lease, work, "settle-unknown");
  const assessment = assess(reading.view, lease.orderId, work, assessmentBasis(desk, lease.source));

  if (assessment !== null && isShownBy(assessment, effect)) {
    await desk.store.finishEffect(
      lease,
      work.case,
      effect.id,
      { state: "succeeded", results: null, error: null, answer: null },
      waiting(effect, desk.clock.now()),
      effect.action === "accept" ? effect.proposed : null,
      null,
    );
    const confirmed = await desk.store.beginWork(lease);
    return confirmed === null ? "carried-out" : await endSucceededEffect(desk, lease, confirmed);
  }

  const nextWaitMs = desk.timing.settleReadsMs[effect.settleReads + 1];
  if (nextWaitMs !== undefined) {
    const dueAt = new Date(desk.clock.now().getTime() + nextWaitMs);
    await desk.store.countSettleRead(lease, work.case, effect.id, waiting(effect, dueAt), null);
    return "settling";
  }
  const alreadyAsked = work.decision?.rule === effectRule;
  await desk.store.countSettleRead(
    lease,
    work.case,
    effect.id,
    { state: "awaiting-agent", reviewQueue: "agent", dueAt: null },
    alreadyAsked ? null : askAboutOutcome(desk, lease, effect, assessment, statusViewId),
  );
  return "decided";
}

/**
 * Whether the status shows what the effect was to bring about. The airline's own cancellation is PnrStatus CANCELLED as
 * well, so that proves a cancel only together with a flag that says N; a missing one says nothing.
 */
function isShownBy({ proposal }: Assessment, effect: EffectSnapshot): boolean {
  const status = proposal.scheduleChangeStatus.known ? proposal.scheduleChangeStatus.value : "";
  const stillOffered = proposal.referencesAllowing.accept.length > 0 || proposal.referencesAllowing.cancel.length > 0;
  if (stillOffered) return false;
  switch (effect.action) {
    case "accept":
      return status === "Accepted" && effect.proposed !== null && sameFlights(proposal.current, effect.proposed);
    case "cancel":
      return status === "Rejected" || (isCancelled(proposal) && isN(proposal.flags.cancel));
  }
}

function isCancelled({ pnrStatus }: Proposal): boolean {
  return pnrStatus.known && pnrStatus.value === "CANCELLED";
}

function isN(flag: Proposal["flags"]["cancel"]): boolean {
  return flag.known && flag.value === "N";
}

function waiting(effect: EffectSnapshot, dueAt: Date): CaseMove {
  return { state: effect.action === "accept" ? "accepting" : "cancelling", reviewQueue: null, dueAt };
}
