import { assertNever } from "../kernel/app-error.ts";
import type { Clock } from "../kernel/clock.ts";
import { newId } from "../kernel/ids.ts";
import { readRetryAfterMs } from "../kernel/retry-after.ts";
import type { Tx } from "../kernel/tx.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { toAuthorizationHeader, withoutCredentials } from "./authorization.ts";
import type { HttpExchange, HttpTransport } from "./http-transport.ts";
import { judgeExchange, type Verdict } from "./judge-exchange.ts";
import type { Announcement, BegunAttempt, DeliveryStore, Lane, LaneLease, NextStep } from "./ports.ts";
import { defaultRetrySchedule, planRetry, type RetrySchedule } from "./retry-schedule.ts";

/**
 * Delivers Order Change Notifications to recipients, at least once, in order per recipient and order.
 *
 * A notification can arrive twice: when a process dies, or the database is away, between the recipient's answer and our
 * record of it, the same delivery is sent again once the lease is over. Both copies carry the same `webhook-id`, by
 * which a recipient may drop the second. It cannot get lost: it stays pending until a recipient acknowledged it, the
 * schedule was used up (then it is in the dead-letter list), or the recipient was removed.
 */
export interface Sender {
  /**
   * The outbox: keeps the notification and its deliveries in the caller's transaction, so that a change and its
   * deliveries commit together or not at all. Announcing the same change of an order again adds nothing.
   *
   * @returns how many recipients it is for; 0 when none is configured. Paused and disabled ones count: what is for them
   *   waits until they are resumed.
   */
  announce(tx: Tx, announcement: Announcement): Promise<{ readonly deliveries: number }>;

  /**
   * Lanes to work on, as dispatches for the queue: fair between recipients, bounded so that a recipient which hangs
   * cannot take every worker. Together with what is dispatched already, never more than `limit`.
   */
  takeDueLanes(limit: number): Promise<readonly LaneDispatch[]>;

  /**
   * Sends what is due in one lane, one after the other, until a try fails, nothing is left, or the turn is over.
   * Rejects when the store cannot be reached; the lane is then handed out again when the lease is over.
   */
  deliver(lane: Lane): Promise<void>;

  /** Begins no further attempt, gives those under way a little time, then cuts them short. They are due again at once. */
  close(): Promise<void>;
}

/** A call to deliver in one lane; has the shape of the queue's dispatch. */
export interface LaneDispatch {
  /** `recipientId/orderId` */
  readonly key: string;
  readonly ids: { readonly recipientId: string; readonly orderId: string };
}

export interface SenderSettings {
  /** For one whole attempt, from name lookup to the last byte of the answer. */
  readonly attemptDeadlineMs: number;
  readonly answerLimitBytes: number;
  /** How much longer than an attempt a lease lasts: time to begin it and to record its outcome. */
  readonly leaseMarginMs: number;
  /** How long a lane is not handed out again while it waits in the queue. */
  readonly dispatchMs: number;
  /** Lanes of one recipient that are worked on at the same time, over all processes. */
  readonly lanesPerRecipientMax: number;
  /** Deliveries of one lane before others get their turn. */
  readonly deliveriesPerTurnMax: number;
  /** What attempts under way get when the sender closes. */
  readonly closeGraceMs: number;
  readonly userAgent: string;
  readonly retry: RetrySchedule;
}

export const defaultSenderSettings: SenderSettings = {
  attemptDeadlineMs: 15_000,
  answerLimitBytes: 64 * 1024,
  leaseMarginMs: 15_000,
  dispatchMs: 30_000,
  lanesPerRecipientMax: 4,
  deliveriesPerTurnMax: 20,
  closeGraceMs: 3_000,
  userAgent: "Skedchange-OCN-Sender",
  retry: defaultRetrySchedule,
};

export interface SenderOptions {
  readonly store: DeliveryStore;
  /** Whoever made it closes it, after the sender. */
  readonly http: HttpTransport;
  readonly clock: Clock;
  /** A number in [0, 1). */
  readonly random: () => number;
  readonly logger: Logger;
  readonly metrics?: Pick<Metrics, "deliveries">;
  readonly settings: SenderSettings;
}

/** As long as the database allows an excerpt to be. */
const excerptCharactersMax = 2_048;

/** Makes a sender. See `Sender` for what it promises. */
export function createSender(options: SenderOptions): Sender {
  const { store, settings, clock } = options;
  const holder = newId(clock);
  const leaseMs = settings.attemptDeadlineMs + settings.leaseMarginMs;
  const stopping = new AbortController();
  const turns = new Set<Promise<void>>();
  let closing = false;

  return {
    async announce(tx, announcement) {
      return { deliveries: await store.addAnnouncement(tx, announcement) };
    },

    async takeDueLanes(limit) {
      const { lanesPerRecipientMax: perRecipient, dispatchMs } = settings;
      const lanes = await store.takeDueLanes({ limit, perRecipient, dispatchMs });
      return lanes.map(({ recipientId, orderId }) => ({
        key: `${recipientId}/${orderId}`,
        ids: { recipientId, orderId },
      }));
    },

    async deliver(lane) {
      if (closing) return;
      const turn = deliverLane(lane);
      turns.add(turn);
      try {
        await turn;
      } finally {
        turns.delete(turn);
      }
    },

    async close() {
      closing = true;
      const cut = setTimeout(() => stopping.abort(), settings.closeGraceMs);
      await Promise.allSettled(turns);
      clearTimeout(cut);
    },
  };

  async function deliverLane(lane: Lane): Promise<void> {
    const lease = await store.acquireLease(lane, holder, leaseMs);
    if (lease === null) return;
    for (let delivery = 0; delivery < settings.deliveriesPerTurnMax && !closing; delivery += 1) {
      const attempt = await store.beginAttempt(lease, leaseMs);
      if (attempt === null) break;
      const laneIsFree = await performAttempt(options, lease, attempt, stopping.signal);
      if (!laneIsFree) break;
    }
    // Not in a `finally`: when the outcome of a try could not be recorded, the lane must rest until the lease is over.
    // Released at once it would be due at once, and the recipient would be flooded with copies.
    await store.releaseLease(lease);
  }
}

/**
 * One try of the first delivery of a lane. `beginAttempt` has committed that it starts: a crash from here on leaves an
 * attempt without outcome, and the delivery is sent again. Only `finishAttempt` may throw.
 *
 * @returns whether the delivery behind this one may be tried now.
 */
async function performAttempt(
  options: SenderOptions,
  lease: LaneLease,
  attempt: BegunAttempt,
  signal: AbortSignal,
): Promise<boolean> {
  const { store, settings } = options;
  const exchange = await options.http.post({
    url: attempt.target.url,
    headers: toHeaders(attempt, settings),
    // The stored bytes as they are: writing the JSON anew would change numbers.
    body: attempt.body,
    deadlineMs: settings.attemptDeadlineMs,
    answerLimitBytes: settings.answerLimitBytes,
    signal,
  });
  const verdict = judgeExchange(exchange);
  const next = chooseNextStep(options, attempt, exchange, verdict);
  const result = {
    outcome: verdict.outcome,
    httpStatus: exchange.status,
    errorCode: verdict.errorCode,
    answerExcerpt: toExcerpt(exchange, attempt),
    durationMs: exchange.durationMs,
  };

  const leaseHeld = await store.finishAttempt(lease, attempt, result, next);

  report(options, lease, attempt, exchange, verdict, next, leaseHeld);
  return leaseHeld && (next.kind === "delivered" || next.kind === "dead");
}

function toHeaders(attempt: BegunAttempt, settings: SenderSettings): Readonly<Record<string, string>> {
  return {
    "content-type": "application/json",
    accept: "application/json",
    // The answer is read as it comes, so that its size limit cannot be tricked by compression.
    "accept-encoding": "identity",
    authorization: toAuthorizationHeader(attempt.target.authorization),
    "user-agent": settings.userAgent,
    "webhook-id": attempt.delivery.id,
    "webhook-timestamp": String(Math.floor(attempt.startedAt.getTime() / 1_000)),
  };
}

function chooseNextStep(
  options: SenderOptions,
  attempt: BegunAttempt,
  exchange: HttpExchange,
  verdict: Verdict,
): NextStep {
  switch (verdict.errorCode) {
    case null:
      return { kind: "delivered" };
    case "sender.stopped":
      return { kind: "again" };
    case "sender.recipient_gone": {
      const message =
        "The endpoint answered 410 Gone. Correct its URL, then resume it; what is pending waits for that.";
      return { kind: "disable-recipient", reason: { code: verdict.errorCode, message } };
    }
    default:
      return planNextTry(options, attempt, exchange, verdict.errorCode);
  }
}

function planNextTry(
  options: SenderOptions,
  attempt: BegunAttempt,
  exchange: HttpExchange,
  errorCode: string,
): NextStep {
  const { retry } = options.settings;
  const now = options.clock.now();
  const plan = planRetry(retry, {
    failures: attempt.delivery.failures + 1,
    firstTriedAt: attempt.delivery.firstTriedAt,
    now,
    retryAfterMs: readRetryAfterMs(exchange.retryAfter, now),
    random: options.random(),
  });
  switch (plan.kind) {
    case "retry":
      return plan;
    case "give-up": {
      const hours = retry.giveUpAfterMs / 3_600_000;
      const message = `Not acknowledged within ${hours} hours of the first try; the last one ended with ${errorCode}. Replay it once the recipient works.`;
      return { kind: "dead", reason: { code: "sender.gave_up", message } };
    }
    default:
      return assertNever(plan);
  }
}

function toExcerpt(exchange: HttpExchange, attempt: BegunAttempt): string | null {
  if (exchange.body.length === 0) return null;
  const text = new TextDecoder().decode(exchange.body);
  // PostgreSQL text holds no NUL. Cut last: a secret that is cut in two would no longer be found.
  return withoutCredentials(text, attempt.target.authorization).replaceAll("\0", "").slice(0, excerptCharactersMax);
}

function report(
  options: SenderOptions,
  lease: LaneLease,
  attempt: BegunAttempt,
  exchange: HttpExchange,
  verdict: Verdict,
  next: NextStep,
  leaseHeld: boolean,
): void {
  options.metrics?.deliveries.inc({
    outcome: next.kind === "delivered" || next.kind === "dead" ? next.kind : "retried",
  });
  const fields = {
    deliveryId: attempt.delivery.id,
    recipientId: lease.recipientId,
    orderId: lease.orderId,
    attempt: attempt.number,
    outcome: verdict.outcome,
    httpStatus: exchange.status,
    errorCode: verdict.errorCode,
    errorMessage: exchange.failure?.message ?? null,
    durationMs: exchange.durationMs,
    next: next.kind,
    ...(next.kind === "retry" ? { dueAt: next.dueAt } : {}),
    leaseHeld,
  };
  if (verdict.outcome === "delivered" && leaseHeld) options.logger.info(fields, "delivery.attempted");
  else options.logger.warn(fields, "delivery.attempted");
}
