import { setTimeout as sleep } from "node:timers/promises";
import { isByPerson } from "../cases/decision.ts";
import { nextStep } from "../cases/next-step.ts";
import type { SeenMembers } from "../cases/observed-members.ts";
import type { OrderContext, OrderKey } from "../cases/order-context.ts";
import type {
  Change,
  DecisionChange,
  EffectAttempt,
  OrderEvent,
  RunOutcome,
  StatusPurpose,
  StatusReason,
  Step,
  StepInputs,
} from "../cases/step.ts";
import { GatewayError } from "../contract/failed-call.ts";
import type { OrderView } from "../contract/order-view.ts";
import { codeOf } from "../kernel/app-error.ts";
import { backOffMs } from "../kernel/back-off.ts";
import { newId } from "../kernel/ids.ts";
import { during, noTracer, type Span, withTrace } from "../telemetry/tracing.ts";
import { notSentInTime, performEffect } from "./effect-outcome.ts";
import type { GatewayQuery } from "./gateway-ports.ts";
import { whileRenewing } from "./lease.ts";
import { observe } from "./observe-members.ts";
import type { Lease, LeasedOrder, SaveResult } from "./ports.ts";
import { settingsOf, type WorkerContext } from "./worker-context.ts";

/**
 * Processes one order, whatever made it due: leases it and performs one step after the other. `nextStep` decides; this
 * module saves, calls and reads.
 * An automatic accept takes four commits: the lease with the loading; the decision and the effect as sent; the outcome;
 * the end of the case with the release. Responses are stored as evidence with the next commit.
 * @throws only if not even the failure could be saved; the order stays due and is dispatched again.
 */
export async function runOrder(worker: WorkerContext, key: OrderKey): Promise<RunOutcome> {
  try {
    const leased = await worker.store.take(key, worker.holder, worker.timing.leaseMs);
    if (leased === null) return "not-due";
    const span = startTrace(worker, leased);
    const traced = { ...worker, logger: withTrace(worker.logger, span.traceparent) };
    const lease = { ...leased.lease, traceparent: span.traceparent };
    return await during(span, () =>
      whileRenewing(traced, lease, () => runUnderLease(traced, { ...leased, lease }, span)),
    );
  } catch (error) {
    if (codeOf(error) !== "desk.lease_lost") throw error;
    worker.logger.warn({ source: key.source, orderId: key.orderId }, "lease.lost");
    return "lease-lost";
  }
}

/**
 * The work goes on in the trace of what woke the case last; what woke it before is linked. The wait in the queue is a
 * span of its own.
 */
function startTrace(worker: WorkerContext, { lease, traceparents, dueForMs }: LeasedOrder): Span {
  const { tracer = noTracer, clock } = worker;
  const [parent = null, ...links] = traceparents;
  const attributes = { "skedchange.source": lease.source, "skedchange.order.id": lease.orderId };
  // By the database's clock, because this process's may differ.
  const dueAt = new Date(clock.now().getTime() - dueForMs);
  tracer.start("wait for a worker", { parent, startedAt: dueAt, attributes }).end();
  return tracer.start("work on order", { parent, links, attributes });
}

interface Run {
  readonly worker: WorkerContext;
  readonly lease: Lease;
  readonly span: Span;
  views: readonly Change[];
  /** What the views stated that is not stored yet. */
  seen: SeenMembers | null;
  isReleased: boolean;
}

async function runUnderLease(
  worker: WorkerContext,
  { lease, context: loading }: LeasedOrder,
  span: Span,
): Promise<RunOutcome> {
  const run: Run = { worker, lease, span, views: [], seen: null, isReleased: false };
  let context: OrderContext | null = null;
  try {
    context = await loading;
    if (context === null) return "not-due";
    const { notification, decision } = context;
    // A later run loads the same notification again.
    if (notification !== null && notification !== "unreadable") noteView(run, notification, decision === null);
    return await perform(run, context, { kind: "loaded", after: "start" });
  } catch (error) {
    if (codeOf(error) === "desk.lease_lost") throw error;
    // The failure is saved on the current case, since an earlier decision stands. It is loaded without the notification
    // if that cannot be decrypted, so that this too ends with a person.
    const current = await worker.store.load(lease, context === null ? "without-notification" : undefined);
    return current === null ? "postponed" : await perform(run, current, { kind: "failed", error });
  } finally {
    if (!run.isReleased) await worker.store.releaseLease(lease);
  }
}

/** Most views state nothing that nobody reads. */
function noteView(run: Run, view: OrderView, isCounted: boolean): void {
  const { worker, lease, seen: before } = run;
  const isLearning = (worker.learningOf?.(lease.source) ?? null) !== null;
  if (view.unread.statements.length === 0 && !isLearning) return;
  run.seen = observe(worker, lease, view, { isCounted, before });
}

async function perform(run: Run, loaded: OrderContext, first: OrderEvent): Promise<RunOutcome> {
  const { worker, lease } = run;
  const settings = settingsOf(worker, lease.source);
  let context = loaded;
  let event = first;
  run.span.set({ "skedchange.case.id": context.case.id });
  for (;;) {
    const stepInputs: StepInputs = {
      now: worker.clock.now(),
      random: worker.random(),
      newDecisionId: newId(worker.clock),
    };
    const step = nextStep(context, event, settings, stepInputs);
    if (event.kind === "failed") logPostponed(worker, context, event.error, step);

    const { next } = step;
    if (next.kind === "send") {
      event = await send(run, context, step, next.attempt);
      context = step.contextAfterSave ?? context;
      continue;
    }
    if (next.kind === "end") await save(run, context, [step.save], "release");
    else if (step.save !== null) await save(run, context, [step.save]);
    if (event.kind === "responded") logOutcome(worker, context, event.attempt, step.save);
    context = step.contextAfterSave ?? context;

    switch (next.kind) {
      case "end":
        return next.outcome;
      case "load": {
        const reloaded = await worker.store.load(lease);
        if (reloaded === null) return "carried-out";
        context = reloaded;
        event = { kind: "loaded", after: "success" };
        break;
      }
      case "read-status":
        event = await readStatus(run, context, next.why, next.round);
        break;
      case "read-documents":
        event = { kind: "documents-read", documents: await readDocuments(run, context), after: next.after };
        break;
      case "fail":
        throw next.error;
    }
  }
}

const purposes: Readonly<Record<StatusReason, StatusPurpose>> = {
  decide: "decide",
  "recheck-finished": "decide",
  "before-effect": "before-effect",
  "after-effect": "after-effect",
  settle: "settle-unknown",
  "send-again": "before-effect",
};

async function readStatus(run: Run, context: OrderContext, why: StatusReason, round: number): Promise<OrderEvent> {
  const { worker, lease } = run;
  const askedAt = worker.clock.now();
  try {
    const gateway = worker.gatewayOf(lease.source);
    const { result: view, ...read } = await gateway.readStatus(queryAbout(context), run.span);
    const statusViewId = newId(worker.clock);
    run.views = [...run.views, { kind: "status-view", id: statusViewId, purpose: purposes[why], ...read }];
    noteView(run, view, true);
    return { kind: "status-read", why, round, view, statusViewId, askedAt, readAt: read.readAt };
  } catch (error) {
    if (!(error instanceof GatewayError) || why !== "after-effect") throw error;
    return { kind: "status-unreadable", failure: error };
  }
}

function queryAbout({ orderId, case: { gdsBookingReferences } }: OrderContext): GatewayQuery {
  return { orderId, gdsBookingReferences };
}

/** Reads the ticket documents. One attempt, because the case must not wait: a gateway failure becomes a sentence. */
async function readDocuments(run: Run, context: OrderContext) {
  const { worker, lease } = run;
  try {
    const { result, ...read } = await worker.gatewayOf(lease.source).readDocuments(queryAbout(context), run.span);
    run.views = [...run.views, { kind: "documents", ...read }];
    return result;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return error.message;
  }
}

/**
 * Sends one effect, or an unknown accept once more, and returns its outcome.
 * The order makes it safe: (1) `sent` is committed, with a new decision, and the database refuses a second live effect
 * for the order; (2) the bytes are sent; (3) the next step commits the outcome. A crash before (1) has sent nothing. A
 * crash after (1) leaves `sent`, which the next worker treats as unknown. So nothing between (1) and (3) may make a
 * sent effect look unsent.
 */
async function send(run: Run, context: OrderContext, step: Step, attempt: EffectAttempt): Promise<OrderEvent> {
  const { worker, lease } = run;
  const { action, gdsBookingReferences, freshUntil } = attempt;
  const effectId = attempt.effectId ?? newId(worker.clock);
  const begunAt = worker.clock.now().getTime();
  const decided = step.save?.kind === "decision" ? step.save.decision : context.decision;
  const isAutomatic = decided !== null && !isByPerson(decided);
  const hourlyLimit = isAutomatic ? (worker.hourlyLimitOf?.(lease.source) ?? null) : null;
  const saved = await save(run, context, [step.save, { kind: "effect-sent", id: effectId, attempt, hourlyLimit }]);
  if (saved.isRefused) return { kind: "plan-refused", attempt };
  // After a pause longer than the lease, another worker may have reported the outcome as unknown, and a person may have
  // decided. So an unsent effect must not be sent any more.
  const now = worker.clock.now();
  const isLate = now.getTime() - begunAt >= saved.leaseLeftMs || (freshUntil !== null && now >= freshUntil);
  const gateway = worker.gatewayOf(lease.source);
  const query = { orderId: lease.orderId, gdsBookingReferences };
  const call = action === "accept" ? gateway.accept : gateway.cancel;
  const performed = isLate ? notSentInTime : await performEffect(action, () => call(query, run.span), query);
  return { kind: "responded", effectId, attempt, performed };
}

/** Saves a step's changes with the responses read before. @param then `release` if that ends the run. */
async function save(
  run: Run,
  context: OrderContext,
  made: readonly (Change | null)[],
  then?: "release",
): Promise<SaveResult> {
  const { worker, lease, seen } = run;
  const members: Change | null = seen === null ? null : { kind: "members", ...seen };
  const changes = [...run.views, members, ...made].filter((change) => change !== null);
  // A response that cannot be saved must not keep the failure from being saved.
  run.views = [];
  run.seen = null;
  if (changes.length === 0) return { isRefused: false, leaseLeftMs: 0 };
  const { tracer = noTracer } = worker;
  const saveOnce = () => {
    const span = tracer.start("save", { parent: run.span.traceparent });
    return during(span, () => worker.store.save(lease, context.case, changes, then));
  };
  const outcomeChange = changes.find((change) => change.kind === "effect-outcome");
  const saved = outcomeChange?.isResponse
    ? await saveWithRetries(worker, context, outcomeChange.effectId, saveOnce)
    : await saveOnce();
  run.isReleased = then === "release";
  if (saved.stoppedAutomation !== undefined) {
    worker.logger.warn({ ...idsOf(context), cause: saved.stoppedAutomation }, "automation.stopped");
  }
  if (seen !== null) worker.recorder?.remember(lease.source, seen.statements);
  const decided = changes.find((change) => change.kind === "decision");
  if (decided !== undefined) {
    traceDecision(run, decided);
    logDecision(worker, context, decided);
  }
  return saved;
}

/** Attempts to save one response. With the usual waits a database has about 15 s to come back. */
const saveAttemptsMax = 5;

/**
 * Saves the outcome of a sent effect. Only this process knows it and the gateway states it only once, so a restarting
 * database must not lose it. A worker that takes the order over meanwhile finds it unknown, which this outcome then
 * settles.
 * @throws the last error: the effect stays `sent` and is settled as after a crash.
 */
async function saveWithRetries(
  worker: WorkerContext,
  context: OrderContext,
  effectId: string,
  saveOnce: () => Promise<SaveResult>,
): Promise<SaveResult> {
  for (let round = 1; ; round++) {
    try {
      return await saveOnce();
    } catch (error) {
      if (round === saveAttemptsMax || codeOf(error) === "desk.lease_lost") throw error;
      worker.logger.warn({ ...idsOf(context), effectId, tries: round, error }, "effect.not_kept_yet");
      await sleep(backOffMs(worker.timing.retry, round, worker.random()));
    }
  }
}

function idsOf({ source, orderId, case: { id } }: OrderContext) {
  return { source, orderId, caseId: id };
}

/** On the span of the work, because deciding itself takes no time worth a span. */
function traceDecision({ span }: Run, { id, decision: { action, rule, reasons } }: DecisionChange): void {
  span.set({
    "skedchange.decision.id": id,
    "skedchange.decision.action": action,
    "skedchange.decision.rule": rule,
    "skedchange.decision.reason": reasons[0]?.code,
  });
}

function logDecision(
  worker: WorkerContext,
  context: OrderContext,
  { id: decisionId, decision, shadowFailure }: DecisionChange,
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

function logOutcome(worker: WorkerContext, context: OrderContext, attempt: EffectAttempt, saved: Change | null): void {
  if (saved?.kind !== "effect-outcome") return;
  const { effectId, outcome } = saved;
  const { action, proposalDigest } = attempt;
  worker.metrics.effects.inc({ source: context.source, action, state: outcome.state });
  worker.logger.info(
    {
      ...idsOf(context),
      decisionId: context.case.decisionId,
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
