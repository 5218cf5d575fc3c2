import { assess } from "../../src/cases/assess.ts";
import type { EffectAction } from "../../src/cases/decision.ts";
import type { EffectOutcome, EffectResult } from "../../src/cases/effect.ts";
import { createAttempt } from "../../src/cases/effect-attempt.ts";
import { nextStep } from "../../src/cases/next-step.ts";
import type { OrderContext } from "../../src/cases/order-context.ts";
import type { SourceSettings } from "../../src/cases/source-settings.ts";
import type { Change, EffectAttempt, OrderEvent, StatusAfter, StatusReason, Step } from "../../src/cases/step.ts";
import { type CaseTiming, defaultTiming } from "../../src/cases/timing.ts";
import { noOwnAddresses } from "../../src/contract/addressee.ts";
import { GatewayError, type GatewayPhase } from "../../src/contract/failed-call.ts";
import { interfaceDocument } from "../../src/contract/gateway-capabilities.ts";
import { airDocRetreive } from "../../src/contract/operations/air-doc-retreive.ts";
import { noMarks } from "../../src/itinerary/member-marks.ts";
import type { Policy } from "../../src/policy/policy.ts";
import { policyOf } from "../unit/policy/policies.ts";
import { afterMs, anOrder, delay, now, proposalOf, viewOf } from "./order-context.ts";
import type { OrderViewBody } from "./sample-notification.ts";

/* What happens to an order, and the step that follows, in short. */

/** Every value that a test may name of a step. Durations are milliseconds from `now`. */
export interface Brief {
  readonly id: string;
  /** How the run ends, or what it does next, such as `read before-effect` or `send accept`. */
  readonly next: string;
  readonly state: string | undefined;
  readonly dueInMs: number | null | undefined;
  /** What is known of the effect. */
  readonly outcome: string | undefined;
  /** Of the decision that is saved. */
  readonly action: string | undefined;
  readonly rule: string | undefined;
  readonly question: string | null | undefined;
  readonly queue: string | null | undefined;
  readonly reasons: readonly string[];
  /** Tasks as `check-ticket: need-to-ticket, documents-not-read`. */
  readonly tasks: readonly string[];
  readonly refund: string | undefined;
}

/** A policy that accepts everything; waits without jitter. */
export function settingsWith(timing: Partial<CaseTiming> = {}, policy: Policy = accepting): SourceSettings {
  return {
    gateway: interfaceDocument,
    policy,
    shadow: null,
    customerAgreement: false,
    ownAddresses: noOwnAddresses,
    inform: "nobody",
    marks: noMarks,
    timing: { ...defaultTiming, retry: { baseMs: 1_000, capMs: 30_000, jitter: 0 }, ...timing },
    versions: {},
  };
}
const accepting = policyOf({ when: "true", do: "accept" });
export const settings = settingsWith();

export function stepAfter(context: OrderContext, event: OrderEvent, by = settings, at = now): Step {
  return nextStep(context, event, by, { now: at, random: 0.5, newDecisionId: "decision-2" });
}

export function briefAfter(context: OrderContext, event: OrderEvent, by = settings, at = now): Brief {
  const { id, save, next } = stepAfter(context, event, by, at);
  const move = moveOf(save);
  const made = decisionOf(save);
  const ending = save?.kind === "effect-outcome" ? save.ending : null;
  const tasks =
    save?.kind === "move" ? save.tasks : (ending?.refund?.task ?? null) === null ? [] : [ending!.refund!.task!];
  return {
    id,
    next: nextInWords(next),
    state: move?.state,
    dueInMs: move?.dueAt == null ? move?.dueAt : move.dueAt.getTime() - now.getTime(),
    outcome: save?.kind === "effect-outcome" ? save.outcome.state : undefined,
    action: made?.action,
    rule: made?.rule,
    question: made?.question,
    queue: move?.reviewQueue,
    reasons: (made?.reasons ?? []).map(({ code }) => code),
    tasks: tasks.map(({ kind, reasons }) => `${kind}: ${reasons.map(({ code }) => code).join(", ")}`),
    refund: ending?.refund?.check,
  };
}

function moveOf(save: Change | null) {
  if (save?.kind === "effect-outcome") return save.ending.move;
  return save !== null && "move" in save ? save.move : undefined;
}

export function decisionOf(save: Change | null) {
  if (save?.kind === "decision") return save.decision;
  if (save?.kind === "effect-outcome") return save.ending.followUp ?? undefined;
  return save?.kind === "settle-read" ? (save.followUp ?? undefined) : undefined;
}

function nextInWords(next: Step["next"]): string {
  switch (next.kind) {
    case "end":
      return next.outcome;
    case "read-status":
      return `read ${next.why}`;
    case "send":
      return `send ${next.attempt.action}`;
    default:
      return next.kind;
  }
}

export const requeued: OrderEvent = { kind: "loaded", after: "start" };

export function statusRead(why: StatusReason, body: OrderViewBody = delay, { round = 1, ageMs = 0 } = {}): OrderEvent {
  return {
    kind: "status-read",
    why,
    round,
    view: viewOf(body),
    statusViewId: "view-1",
    askedAt: afterMs(-ageMs),
    readAt: now,
  };
}

export function gatewayFailure(phase: GatewayPhase, retryable = phase !== "responded"): GatewayError {
  return new GatewayError("gateway.unreachable", "away", { operation: "AirReservationStatus", phase, retryable });
}

export function statusUnreadable(phase: GatewayPhase): OrderEvent {
  return { kind: "status-unreadable", failure: gatewayFailure(phase) };
}

/** @param documents the response of AirDocRetreive; null if there is none */
export function documentsRead(status: OrderViewBody, documents: OrderViewBody | null): OrderEvent {
  const after: StatusAfter = { view: viewOf(status), proposal: proposalOf(status), statusViewId: "view-1" };
  if (documents === null) return { kind: "documents-read", documents: "The gateway is away.", after };
  const reading = airDocRetreive.interpret(documents);
  if (!reading.ok) throw new Error(reading.problem.code);
  return { kind: "documents-read", documents: reading.result, after };
}

export function anAttempt(
  action: EffectAction = "accept",
  body = delay,
  changes: Partial<EffectAttempt> = {},
): EffectAttempt {
  const view = viewOf(body);
  const assessment = assess(view, anOrder(), settings, now)!;
  const seen = { view, assessment, statusViewId: "view-1", askedAt: now, readAt: now, round: 1 };
  return { ...createAttempt("ORDER1", action, seen, assessment, false), ...changes };
}

export function responded(
  outcome: EffectOutcome,
  attempt = anAttempt(),
  retryAfterMs: number | null = null,
): OrderEvent {
  return { kind: "responded", effectId: "effect-1", attempt, performed: { outcome, retryAfterMs } };
}

export function failedWith(code: string, message = "no"): EffectOutcome {
  return { state: "failed", results: null, error: { code, message }, response: null };
}

export const noResponse: EffectOutcome = {
  state: "unknown",
  results: null,
  error: { code: "gateway.timeout", message: "no response" },
  response: null,
};

export function successOf(result: Partial<EffectResult> = {}): EffectOutcome {
  const unstated = { errorMessage: "", refundAmount: null, refundText: null, refundPaxWiseFare: [] };
  const results = [{ gdsBookingReferences: ["REF1"], status: "SUCCESS", ...unstated, ...result }];
  return { state: "succeeded", results, error: null, response: null };
}
