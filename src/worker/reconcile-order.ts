import { setTimeout as sleep } from "node:timers/promises";
import { gatewayFailureOf } from "../cases/gateway-failure.ts";
import { nextStep } from "../cases/next-step.ts";
import type { OrderContext, OrderKey } from "../cases/order-context.ts";
import type {
  Change,
  Moment,
  OrderEvent,
  RunOutcome,
  Sending,
  StatusPurpose,
  StatusReason,
  Step,
} from "../cases/step.ts";
import { codeOf, messageOf } from "../kernel/app-error.ts";
import { backOffMs } from "../kernel/back-off.ts";
import { newId } from "../kernel/ids.ts";
import { notSentInTime, performEffect } from "./effect-outcome.ts";
import { whileRenewing } from "./lease.ts";
import type { Lease, TakenOrder } from "./ports.ts";
import { settingsOf, type WorkerContext } from "./worker-context.ts";

/**
 * Brings one order up to date, whatever woke it: takes it, and performs one step after the other. What is to be done is for
 * `nextStep` to say; here it is saved, called and read.
 *
 * @throws only when not even the failure could be written down; the order stays due and is dispatched again.
 */
export async function reconcileOrder(worker: WorkerContext, key: OrderKey): Promise<RunOutcome> {
  try {
    const taken = await worker.store.take(key, worker.holder, worker.timing.leaseMs);
    if (taken === null) return "not-due";
    return await whileRenewing(worker, taken.lease, () => runUnderLease(worker, taken));
  } catch (error) {
    if (codeOf(error) !== "desk.lease_lost") throw error;
    worker.logger.warn({ source: key.source, orderId: key.orderId }, "lease.lost");
    return "lease-lost";
  }
}

async function runUnderLease(worker: WorkerContext, { lease, context: loading }: TakenOrder): Promise<RunOutcome> {
  let context: OrderContext | null = null;
  try {
    context = await loading;
    if (context === null) return "not-due";
    return await perform(worker, lease, context, { kind: "loaded", after: "wake-up", round: 1 });
  } catch (error) {
    if (codeOf(error) === "desk.lease_lost") throw error;
    // What was decided before it failed stands, so the failure is kept on the case as it is now. A notification that
    // cannot be opened must end with a person as well, so it is done without.
    const current = await worker.store.load(lease, context === null ? "without-notification" : undefined);
    return current === null ? "postponed" : await perform(worker, lease, current, { kind: "failed", error });
  } finally {
    await worker.store.releaseLease(lease);
  }
}

/** Performs steps until one ends the run. */
async function perform(
  worker: WorkerContext,
  lease: Lease,
  loaded: OrderContext,
  first: OrderEvent,
): Promise<RunOutcome> {
  const settings = settingsOf(worker, lease.source);
  let context = loaded;
  let event = first;
  for (;;) {
    const moment: Moment = { now: worker.clock.now(), chance: worker.random() };
    const step = nextStep(context, event, settings, moment);
    if (event.kind === "failed") logPostponed(worker, context, event.error, step);
    if (step.save !== null) await save(worker, lease, context, step.save);
    if (event.kind === "answered") noteOutcome(worker, context, event.sending, step.save);

    const { next } = step;
    switch (next.kind) {
      case "end":
        return next.outcome;
      case "load": {
        const reloaded = await worker.store.load(lease);
        if (reloaded === null) return next.otherwise;
        context = reloaded;
        event = next.event;
        break;
      }
      case "read-status":
        event = await readStatus(worker, lease, context, next.why, next.round);
        break;
      case "read-documents":
        event = { kind: "documents-read", documents: await readDocuments(worker, lease, context), after: next.after };
        break;
      case "send":
        event = await send(worker, lease, context, next.sending);
        break;
      case "fail":
        throw next.error;
    }
  }
}

const purposes: Readonly<Record<StatusReason, StatusPurpose>> = {
  decide: "decide",
  "look-again": "decide",
  "before-effect": "before-effect",
  "after-effect": "after-effect",
  settle: "settle-unknown",
  "send-again": "before-effect",
};

/** Reads the reservation status and keeps it as evidence. After an effect the case may go on without. */
async function readStatus(
  worker: WorkerContext,
  lease: Lease,
  context: OrderContext,
  why: StatusReason,
  round: number,
): Promise<OrderEvent> {
  try {
    const {
      answer: view,
      body,
      readAt,
    } = await worker.gatewayOf(lease.source).airReservationStatus({
      orderId: lease.orderId,
      gdsBookingReferences: context.case.gdsBookingReferences,
    });
    const statusViewId = newId(worker.clock);
    const seen = { kind: "status-view", id: statusViewId, purpose: purposes[why], body, readAt } as const;
    await worker.store.save(lease, context.case, [seen]);
    return { kind: "status-read", why, round, view, statusViewId };
  } catch (error) {
    const failure = gatewayFailureOf(error);
    if (failure === null || why !== "after-effect") throw error;
    return { kind: "status-missed", failure, error };
  }
}

/**
 * Reads the ticket documents of an order and keeps them as evidence. One try: the effect has happened and the case is not
 * to wait for this, so what goes wrong at the gateway is answered as a sentence and thrown away.
 */
async function readDocuments(worker: WorkerContext, lease: Lease, context: OrderContext) {
  try {
    const { answer, body, readAt } = await worker.gatewayOf(lease.source).airDocRetreive({
      orderId: lease.orderId,
      gdsBookingReferences: context.case.gdsBookingReferences,
    });
    await worker.store.save(lease, context.case, [{ kind: "documents", body, readAt }]);
    return answer;
  } catch (error) {
    if (gatewayFailureOf(error) === null) throw error;
    return messageOf(error);
  }
}

/**
 * Plans and sends one effect, or sends an unknown accept once more.
 *
 * The order of the steps is what makes it safe: (1) the plan is committed, and the database refuses a second live one for
 * the order; (2) `sent` is committed; (3) the bytes leave; (4) the outcome is committed, by the next step. A crash before (2)
 * has sent nothing. A crash after (2) leaves `sent`, which the next worker reads as unknown. So between (2) and (4) nothing
 * may be added that could make a sent effect look unsent.
 */
async function send(worker: WorkerContext, lease: Lease, context: OrderContext, sending: Sending): Promise<OrderEvent> {
  const { action, gdsBookingReferences } = sending;
  const isSecond = sending.effectId !== null;
  const effectId = sending.effectId ?? (await plan(worker, lease, context, sending));
  if (effectId === null) return { kind: "plan-refused", sending };

  const gateway = worker.gatewayOf(lease.source);
  const query = { orderId: lease.orderId, gdsBookingReferences };
  const markedAt = worker.clock.now().getTime();
  await worker.store.save(lease, context.case, [{ kind: "effect-sent", effectId, isAgain: isSecond }]);
  // A process that was paused here for longer than its lease may have been overtaken: by then a person may have been
  // told that the outcome is unknown and have decided. It has sent nothing yet, and must not any more.
  const isLate = worker.clock.now().getTime() - markedAt >= worker.timing.leaseMs;
  const call = action === "accept" ? gateway.airOrderInvoluntaryAccept : gateway.airOrderInvoluntaryCancel;
  const performed = isLate ? notSentInTime : await performEffect(action, () => call(query), query);
  return { kind: "answered", effectId, sending, performed };
}

/** @returns the id of the effect; null when none may be planned. */
async function plan(
  worker: WorkerContext,
  lease: Lease,
  context: OrderContext,
  sending: Sending,
): Promise<string | null> {
  const id = newId(worker.clock);
  const { isPlanned } = await worker.store.save(lease, context.case, [{ kind: "effect-planned", id, sending }]);
  return isPlanned ? id : null;
}

async function save(worker: WorkerContext, lease: Lease, context: OrderContext, change: Change): Promise<void> {
  if (change.kind === "effect-outcome" && change.isAnswer) return await saveAnswer(worker, lease, context, change);
  const { decisionId } = await worker.store.save(lease, context.case, [change]);
  if (change.kind === "decision" && decisionId !== null) logDecision(worker, context, decisionId, change);
}

/** Tries to keep one answer: with the usual waits a database has about a quarter of a minute to come back. */
const savesMax = 5;

/**
 * Keeps what came of an effect that was just sent. Nobody but this process knows it, and a gateway tells it only once, so
 * a database that restarts at this moment must not lose it. Whoever takes the order over meanwhile finds it unknown, which
 * the outcome then settles.
 *
 * @throws what the last try threw: the effect stays as sent, and is settled as if the process had died.
 */
async function saveAnswer(
  worker: WorkerContext,
  lease: Lease,
  context: OrderContext,
  answer: Extract<Change, { kind: "effect-outcome" }>,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await worker.store.save(lease, context.case, [answer]);
      return;
    } catch (error) {
      if (tries === savesMax || codeOf(error) === "desk.lease_lost") throw error;
      worker.logger.warn({ ...idsOf(context), effectId: answer.effectId, tries, error }, "effect.not_kept_yet");
      await sleep(backOffMs(worker.timing.retry, tries, worker.random()));
    }
  }
}

function idsOf({ source, orderId, case: { id } }: OrderContext) {
  return { source, orderId, caseId: id };
}

function logDecision(
  worker: WorkerContext,
  context: OrderContext,
  decisionId: string,
  { decision, shadowFailure }: Extract<Change, { kind: "decision" }>,
): void {
  const { action, rule, reasons, proposalDigest } = decision;
  worker.metrics.decisions.inc({ source: context.source, action, by: "policy" });
  worker.logger.info(
    {
      ...idsOf(context),
      decisionId,
      action,
      rule,
      reason: reasons[0]?.code,
      proposalDigest: proposalDigest ?? undefined,
    },
    "decision.made",
  );
  if (shadowFailure !== null) {
    worker.logger.error({ ...idsOf(context), error: shadowFailure }, "shadow.failed");
  }
}

function noteOutcome(worker: WorkerContext, context: OrderContext, sending: Sending, saved: Change | null): void {
  if (saved?.kind !== "effect-outcome") return;
  const { effectId, outcome } = saved;
  const { action, proposalDigest } = sending;
  worker.metrics.effects.inc({ source: context.source, action, state: outcome.state });
  worker.logger.info(
    {
      ...idsOf(context),
      decisionId: context.decision?.id,
      effectId,
      action,
      outcome: outcome.state,
      errorCode: outcome.error?.code,
      proposalDigest,
    },
    "effect.performed",
  );
}

function logPostponed(worker: WorkerContext, context: OrderContext, error: unknown, { save: saved }: Step): void {
  const dueAt = saved !== null && "move" in saved ? saved.move.dueAt : null;
  const failures = context.case.failures + 1;
  worker.logger.warn({ ...idsOf(context), failures, dueAt, error }, "order.postponed");
}
