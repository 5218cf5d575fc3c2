import { assessNotification } from "../cases/assess.ts";
import type { Question, Reason } from "../cases/decision.ts";
import type { Failure } from "../cases/effect.ts";
import { isFinished } from "../cases/lifecycle.ts";
import type { EffectSnapshot, OrderContext } from "../cases/order-context.ts";
import { waitingForPeople, waitingOn } from "../cases/waiting.ts";
import { codeOf, messageOf } from "../kernel/app-error.ts";
import { backOffMs } from "../kernel/back-off.ts";
import type { DeskContext } from "./desk-context.ts";
import { settingsOf } from "./desk-context.ts";
import { badCredentials, gatewayFailureOf } from "./gateway-failure.ts";
import type { Lease } from "./ports.ts";
import { askAboutOutcome, handOver } from "./record-decision.ts";

/** Tries in a row that fail inside Skedchange, not at the gateway, before a person is asked. */
const internalFailuresMax = 8;

/**
 * A try failed. What the gateway could not say now is asked again later, without end; a person is asked to look as well
 * when it refuses, or when it has been away for long. A failure of our own is tried a few times, then shown.
 */
export async function postpone(desk: DeskContext, lease: Lease, work: OrderContext, error: unknown): Promise<void> {
  const now = desk.clock.now();
  const failures = work.case.failures + 1;
  const dueAt = new Date(now.getTime() + backOffMs(desk.timing.retry, failures, desk.random()));
  const failure = { code: codeOf(error), message: messageOf(error) };
  desk.logger.warn(
    { source: lease.source, orderId: lease.orderId, caseId: work.case.id, failures, dueAt, error },
    "order.postponed",
  );
  const call = callForPerson(desk, work, error, failure, failures, now);
  const again = call === null || call.goesOn ? dueAt : null;
  if (work.liveEffect !== null) {
    await postponeSettling(desk, lease, work, work.liveEffect, failure, call === null ? "go-on" : "ask", again);
    return;
  }
  if (call === null || (call.goesOn && isFinished(work.case.state))) {
    // Whoever was asked can still answer: a gateway that is away must not take the case out of their hands.
    await desk.store.postpone(lease, work.case, failure, dueAt, waitingOn(work, now)?.state);
    return;
  }
  if (isFinished(work.case.state)) {
    // A finished case cannot ask anybody, and what it was notified of must not be dropped: the next one asks.
    await desk.store.openNextCase(lease, work.case);
    return;
  }
  if (work.decision?.question === call.question) {
    await desk.store.postpone(lease, work.case, failure, again, "awaiting-agent");
    return;
  }
  const waiting = waitingForPeople(work, settingsOf(desk, lease.source), desk.clock.now());
  if (waiting !== null) {
    await desk.store.postpone(lease, work.case, failure, again ?? waiting.dueAt, waiting.state);
    return;
  }
  await handOver(desk, lease, work, {
    rule: call.rule,
    question: call.question,
    reason: call.reason,
    statusViewId: null,
    ...(again === null ? {} : { dueAt: again }),
  });
}

/** While the outcome of an effect is open, the only question to a person is what became of it; only a person can say. */
async function postponeSettling(
  desk: DeskContext,
  lease: Lease,
  work: OrderContext,
  effect: EffectSnapshot,
  failure: Failure,
  step: "go-on" | "ask",
  dueAt: Date | null,
): Promise<void> {
  const isAsked = work.decision?.question === "effect-outcome";
  if (isAsked) {
    await desk.store.postpone(lease, work.case, failure, dueAt, "awaiting-agent");
    return;
  }
  if (step === "go-on" || effect.state !== "unknown") {
    const soon = dueAt ?? new Date(desk.clock.now().getTime() + desk.timing.retry.capMs);
    await desk.store.postpone(lease, work.case, failure, soon);
    return;
  }
  const question = askAboutOutcome(
    desk,
    lease,
    effect,
    assessNotification(work, settingsOf(desk, lease.source), desk.clock.now()),
    null,
  );
  const move = { state: "awaiting-agent", reviewQueue: "agent", dueAt } as const;
  await desk.store.countSettleRead(lease, work.case, effect.id, "otherwise", move, question);
}

/** Why a person should look, and whether the tries go on meanwhile. */
interface CallForPerson {
  readonly rule: string;
  readonly question: Question;
  readonly reason: Reason;
  readonly goesOn: boolean;
}

function callForPerson(
  desk: DeskContext,
  work: OrderContext,
  error: unknown,
  failure: Failure,
  failures: number,
  now: Date,
): CallForPerson | null {
  const fromGateway = gatewayFailureOf(error);
  if (fromGateway === null) {
    if (failures < internalFailuresMax || isOutsideTheOrder(failure.code)) return null;
    return {
      rule: "check:processing",
      question: "failed-processing",
      reason: { code: "processing-failed", text: failure.message },
      goesOn: false,
    };
  }
  if (fromGateway.phase === "answered" && !fromGateway.retryable && fromGateway.code !== badCredentials) {
    const words = fromGateway.gatewayText === null ? "" : ` It says: ${fromGateway.gatewayText}`;
    return {
      rule: "check:status",
      question: "unreadable-status",
      reason: { code: "status-refused", text: `${fromGateway.message}${words}` },
      goesOn: false,
    };
  }
  const since = work.case.failingSince ?? now;
  if (now.getTime() - since.getTime() < desk.timing.handOverAfterMs) return null;
  return {
    rule: "check:gateway",
    question: "unreachable-gateway",
    reason: {
      code: "gateway-unreachable",
      text: `The gateway has not answered since ${since.toISOString()}; it is asked again until it does. ${fromGateway.message}`,
    },
    goesOn: true,
  };
}

/** A database that is away, or settings that lack a source, need no person: the order stays due until they are back. */
function isOutsideTheOrder(code: string): boolean {
  return (
    (code.startsWith("store.") && code !== "store.cannot_open") ||
    code === "desk.unknown_source" ||
    code.startsWith("ECONN") ||
    /^(08|53|57|58)[0-9A-Z]{3}$/.test(code)
  );
}
