import { type Assessment, assess } from "../cases/assess.ts";
import { findObstacle } from "../cases/find-obstacle.ts";
import type { EffectSnapshot, OrderContext } from "../cases/order-context.ts";
import { afterEffect } from "./after-effect.ts";
import type { DeskContext } from "./desk-context.ts";
import { settingsOf } from "./desk-context.ts";
import type { PerformedEffect } from "./effect-outcome.ts";
import { endSucceededEffect } from "./end-effect.ts";
import { keepOutcome } from "./keep-outcome.ts";
import type { Lease } from "./ports.ts";
import { readStatus } from "./read-status.ts";
import type { ReconcileOutcome } from "./reconcile-outcome.ts";
import { markAndCall, noteOutcome } from "./send-effect.ts";

/** What a status says of an order, if anything, and where it is kept. */
export interface Sighting {
  readonly assessment: Assessment | null;
  readonly statusViewId: string;
}

/**
 * Whether an unknown effect may be sent once more, should every read of the settle lag have shown its proposal open and
 * unchanged: only an accept, only once, and only under the decision that it was planned for.
 */
export function mayBeSentAgain({ decision }: OrderContext, { action, sends, decisionId }: EffectSnapshot): boolean {
  return action === "accept" && sends === 1 && decision?.id === decisionId;
}

/**
 * How long to wait still before that, milliseconds, 0 or less when it is over: the whole settle lag, so that a stored
 * status has been replaced, and the longest call with a lease behind it, so that nobody can still be sending.
 */
export function quietLeftMs({ timing }: DeskContext, { sentAgoMs }: EffectSnapshot): number {
  const lagMs = timing.settleReadsMs.reduce((sum, waitMs) => sum + waitMs, 0);
  return Math.max(lagMs, timing.callMaxMs + timing.leaseMs) - (sentAgoMs ?? 0);
}

/**
 * Whether a status shows the very proposal that the effect was sent for, still open. A status that is blank, or that
 * says anything of an answer to the change, does not.
 */
export function showsUnchanged({ proposal }: Assessment, effect: EffectSnapshot): boolean {
  const { pnrStatus, scheduleChangeStatus, referencesAllowing } = proposal;
  const isAnswered = scheduleChangeStatus.known && scheduleChangeStatus.value.toUpperCase() !== "INITIATED";
  return (
    proposal.digest === effect.proposalDigest &&
    pnrStatus.known &&
    !isAnswered &&
    effect.gdsBookingReferences.every((reference) => referencesAllowing[effect.action].includes(reference))
  );
}

/**
 * Sends an unknown accept once more, if the status still shows the same right before.
 *
 * A refusal now does not tell what became of the first one: the gateway may refuse because that was carried out. So all
 * but a success leaves it unknown, to be settled by reads once more and then by a person.
 *
 * @returns what that status shows when it is no longer the same, so that nothing was sent.
 */
export async function sendAgain(
  desk: DeskContext,
  lease: Lease,
  work: OrderContext,
  effect: EffectSnapshot,
): Promise<{ readonly sent: ReconcileOutcome } | { readonly shown: Sighting }> {
  const { reading, statusViewId } = await readStatus(desk, lease, work, "before-effect");
  const assessment = assess(reading.view, work, settingsOf(desk, lease.source), desk.clock.now());
  const { decision } = work;
  const shown = { assessment, statusViewId };
  if (assessment === null || decision === null || !showsUnchanged(assessment, effect)) return { shown };
  if (findObstacle(work, decision, assessment, settingsOf(desk, lease.source)) !== null) return { shown };

  desk.crashPoint("before-marked-sent-again");
  const query = { orderId: lease.orderId, gdsBookingReferences: effect.gdsBookingReferences };
  const performed = unlessSucceeded(
    await markAndCall(desk, lease, effect.action, query, {
      mark: () => desk.store.markSentAgain(lease, work.case, effect.id),
      marked: "after-marked-sent-again",
    }),
  );
  desk.crashPoint("after-answer-again");
  const { action, expectedRefund } = effect;
  const ending = afterEffect(desk, lease, work, { action, assessment, expectedRefund }, performed);
  await keepOutcome(desk, lease, work, effect.id, { outcome: performed.outcome, ending });
  desk.crashPoint("after-outcome-again-kept");
  const { proposalDigest } = effect;
  noteOutcome(desk, lease, work, { effectId: effect.id, action, outcome: performed.outcome, proposalDigest });
  if (performed.outcome.state !== "succeeded") return { sent: "settling" };
  const succeeded = await desk.store.beginWork(lease);
  return { sent: succeeded === null ? "carried-out" : await endSucceededEffect(desk, lease, succeeded) };
}

function unlessSucceeded({ outcome, retryAfterMs }: PerformedEffect): PerformedEffect {
  return { outcome: outcome.state === "failed" ? { ...outcome, state: "unknown" } : outcome, retryAfterMs };
}
