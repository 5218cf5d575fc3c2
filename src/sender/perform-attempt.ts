import { assertNever } from "../kernel/app-error.ts";
import type { Clock } from "../kernel/clock.ts";
import { readRetryAfterMs } from "../kernel/retry-after.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { noTracer, type Tracer } from "../telemetry/tracing.ts";
import type { AcknowledgedAttempts } from "./acknowledged-attempts.ts";
import type { AttemptErrorCode } from "./judge-exchange.ts";
import type {
  AfterFailedAttempt,
  AttemptResult,
  BegunAttempt,
  HealthChange,
  HealthVerdict,
  LaneStore,
  Reason,
  RecipientHealth,
} from "./ports.ts";
import { type HealthRules, healthAfter } from "./recipient-health.ts";
import { planRetry, type RetrySchedule } from "./retry-schedule.ts";
import { notSent, type SendOptions, type SentAttempt, sendAttempt } from "./send-attempt.ts";

export interface PerformOptions {
  readonly store: Pick<LaneStore, "finishAttempt">;
  readonly acknowledged: Pick<AcknowledgedAttempts, "record">;
  readonly send: SendOptions;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, "deliveries" | "recipientAttempts"> | undefined;
  readonly tracer?: Tracer;
  readonly retry: RetrySchedule;
  readonly health: HealthRules;
}

/**
 * Sends an attempt whose start is committed, and records the outcome. Rejects only if the outcome can't be recorded;
 * then it is sent again once the lease expires.
 * @param renewsToken whether a 401 leads at once to another attempt with a new access token, without a failure counted
 * @param mayBeSent false if it waited in vain for its recipient: it is due again at once
 * @param onResponded called before the outcome is recorded
 */
export async function performAttempt(
  options: PerformOptions,
  attempt: BegunAttempt,
  { renewsToken, mayBeSent, onResponded }: PerformChoices,
): Promise<AttemptEnd> {
  const sent = mayBeSent ? await sendTraced(options, attempt) : requeued;
  const { errorCode } = sent.verdict;
  onResponded(errorCode === null);
  if (errorCode === null) {
    const leaseHeld = await options.acknowledged.record({ attempt, result: toResult(sent) });
    report(options, attempt, sent, { next: { kind: "delivered" }, leaseHeld, disabledFor: null });
    return "delivered";
  }
  const isRenewed = renewsToken && errorCode === "sender.token_rejected";
  const next: AfterFailedAttempt = isRenewed
    ? { kind: "again" }
    : chooseAfterFailure(options, attempt, sent, errorCode);
  const watched = captureHealthVerdict(judgeHealth(options, sent, errorCode));
  const leaseHeld = await options.store.finishAttempt(attempt, toResult(sent), next, watched.change);
  const { assessed } = watched;
  const disabledFor = reasonToDisable(next, leaseHeld, assessed);
  report(options, attempt, sent, { next, leaseHeld, disabledFor });
  if (assessed !== null) reportHealth(options, attempt.lease.recipientId, assessed, disabledFor);
  if (isRenewed && leaseHeld) return "renew-token";
  const isRecipientHeld =
    next.kind === "disable-recipient" || (assessed !== null && assessed.verdict.kind !== "goes-on");
  return isRecipientHeld ? "recipient-held" : "not-delivered";
}

/** The recipient gets the attempt's context, and may link its own trace to it. */
async function sendTraced({ send, tracer = noTracer }: PerformOptions, attempt: BegunAttempt): Promise<SentAttempt> {
  const { recipientId, orderId } = attempt.lease;
  const span = tracer.start("deliver", {
    kind: "client",
    parent: attempt.traceparent,
    attributes: {
      "http.request.method": "POST",
      "skedchange.recipient.id": recipientId,
      "skedchange.delivery.id": attempt.delivery.id,
      "skedchange.delivery.attempt": attempt.number,
      "skedchange.order.id": orderId,
    },
  });
  const sent = await sendAttempt(recipientId, { ...attempt, traceparent: span.traceparent }, send);
  span.set({ "http.response.status_code": sent.httpStatus });
  span.end(sent.verdict.errorCode ?? undefined);
  return sent;
}

interface PerformChoices {
  readonly renewsToken: boolean;
  readonly mayBeSent: boolean;
  readonly onResponded: (isAcknowledged: boolean) => void;
}

const requeued = notSent(
  {
    code: "sender.not_sent",
    message:
      "It waited for other orders of the recipient, which is on hold or has become slow; or the sender is stopping.",
    retryAfter: null,
  },
  0,
);

/** `renew-token`: due at once with a new access token. `recipient-held`: the recipient gets nothing for a while. */
export type AttemptEnd = "delivered" | "renew-token" | "not-delivered" | "recipient-held";

export function toResult(sent: SentAttempt): AttemptResult {
  const { httpStatus, answerExcerpt, errorMessage, durationMs, timings } = sent;
  const { outcome, errorCode } = sent.verdict;
  return { outcome, errorCode, httpStatus, answerExcerpt, errorMessage, durationMs, timings };
}

function judgeHealth(options: PerformOptions, sent: SentAttempt, errorCode: AttemptErrorCode): HealthChange {
  const now = options.clock.now();
  return healthAfter(options.health, {
    errorCode,
    httpStatus: sent.httpStatus,
    retryAfterMs: readRetryAfterMs(sent.retryAfter, now),
    now,
    random: options.random(),
  });
}

/** Wraps `judge`, which the store calls within its transaction, to know its verdict once that is committed. */
function captureHealthVerdict(change: HealthChange): HealthWatch {
  if (change.kind !== "failed") return { change, assessed: null };
  const watch: { change: HealthChange; assessed: AssessedHealth | null } = {
    assessed: null,
    change: {
      kind: "failed",
      judge: (health) => {
        const verdict = change.judge(health);
        watch.assessed = { health, verdict };
        return verdict;
      },
    },
  };
  return watch;
}

interface HealthWatch {
  readonly change: HealthChange;
  /** Null if the recipient was not active any more, or its URL was changed: then the store judges nothing. */
  readonly assessed: AssessedHealth | null;
}

interface AssessedHealth {
  readonly health: RecipientHealth;
  readonly verdict: HealthVerdict;
}

/** Returns null if this attempt did not disable its recipient, even if another one did. */
function reasonToDisable(next: AfterFailedAttempt, leaseHeld: boolean, assessed: AssessedHealth | null): Reason | null {
  if (assessed === null) return null;
  if (assessed.verdict.kind === "disable") return assessed.verdict.reason;
  return next.kind === "disable-recipient" && leaseHeld ? next.reason : null;
}

function reportHealth(
  { logger }: PerformOptions,
  recipientId: string,
  { health, verdict }: AssessedHealth,
  disabledFor: Reason | null,
): void {
  const { failedInRow, failingSince } = health;
  if (disabledFor !== null) {
    logger.error({ recipientId, failedInRow, failingSince, reason: disabledFor }, "recipient.disabled");
  } else if (verdict.kind !== "disable" && verdict.notices > health.notices) {
    logger.warn({ recipientId, failedInRow, failingSince, notice: verdict.notices }, "recipient.failing");
  }
}

function chooseAfterFailure(
  options: PerformOptions,
  attempt: BegunAttempt,
  sent: SentAttempt,
  errorCode: AttemptErrorCode,
): AfterFailedAttempt {
  switch (errorCode) {
    case "sender.stopped":
    case "sender.not_sent":
      return { kind: "again" };
    case "sender.recipient_gone": {
      const message =
        "The endpoint responded with 410 Gone. Correct its URL, then resume it; what is pending waits for that.";
      return { kind: "disable-recipient", reason: { code: errorCode, message } };
    }
    case "sender.rejected": {
      const message = `The endpoint responded with ${sent.httpStatus}, which no further attempt can change. Send it again once the endpoint takes such notifications.`;
      return { kind: "dead", reason: { code: errorCode, message } };
    }
    default:
      return planNextAttempt(options, attempt, sent, errorCode);
  }
}

function planNextAttempt(
  options: PerformOptions,
  attempt: BegunAttempt,
  sent: SentAttempt,
  errorCode: string,
): AfterFailedAttempt {
  const { retry } = options;
  const now = options.clock.now();
  const plan = planRetry(retry, {
    failures: attempt.delivery.failures + 1,
    firstTriedAt: attempt.delivery.firstTriedAt,
    now,
    retryAfterMs: readRetryAfterMs(sent.retryAfter, now),
    random: options.random(),
  });
  switch (plan.kind) {
    case "retry":
      return plan;
    case "give-up": {
      const hours = retry.giveUpAfterMs / 3_600_000;
      const message = `Not acknowledged within ${hours} hours of the first attempt; the last one ended with ${errorCode}. Send it again once the recipient works.`;
      return { kind: "dead", reason: { code: "sender.gave_up", message } };
    }
    default:
      return assertNever(plan);
  }
}

function report(
  { logger, metrics }: PerformOptions,
  attempt: BegunAttempt,
  { verdict, httpStatus, errorMessage, durationMs }: SentAttempt,
  { next, leaseHeld, disabledFor }: AttemptRecord,
): void {
  const { recipientId, orderId } = attempt.lease;
  if (verdict.errorCode === "sender.not_sent") {
    logger.debug({ deliveryId: attempt.delivery.id, recipientId, orderId, leaseHeld }, "delivery.given_back");
    return;
  }
  const outcome = disabledFor === null ? countedOutcome(next) : "recipient-disabled";
  metrics?.deliveries.inc({ outcome });
  metrics?.recipientAttempts.count(recipientId, outcome);
  const fields = {
    deliveryId: attempt.delivery.id,
    recipientId,
    orderId,
    attempt: attempt.number,
    outcome: verdict.outcome,
    httpStatus,
    errorCode: verdict.errorCode,
    errorMessage,
    durationMs,
    next: next.kind,
    ...(next.kind === "retry" ? { dueAt: next.dueAt } : {}),
    leaseHeld,
  };
  if (next.kind === "delivered" && leaseHeld) logger.info(fields, "delivery.attempted");
  else logger.warn(fields, "delivery.attempted");
}

interface AttemptRecord {
  readonly next: AfterFailedAttempt | { readonly kind: "delivered" };
  readonly leaseHeld: boolean;
  readonly disabledFor: Reason | null;
}

function countedOutcome({ kind }: AttemptRecord["next"]): "delivered" | "dead" | "retried" {
  return kind === "delivered" || kind === "dead" ? kind : "retried";
}
