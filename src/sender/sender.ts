import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { assertNever, codeOf } from "../kernel/app-error.ts";
import type { Clock } from "../kernel/clock.ts";
import { newId } from "../kernel/ids.ts";
import { readRetryAfterMs } from "../kernel/retry-after.ts";
import type { Tx } from "../kernel/tx.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { type AccessTokens, createAccessTokens } from "./access-tokens.ts";
import type { HttpTransport } from "./http-transport.ts";
import type {
  Announcement,
  AttemptResult,
  BegunAttempt,
  DeliveryStore,
  HealthChange,
  HealthVerdict,
  Lane,
  LaneLease,
  LaneStore,
  NextStep,
  RecipientHealth,
  RecipientTarget,
  TestResult,
} from "./ports.ts";
import { defaultHealthRules, type HealthRules, healthAfter } from "./recipient-health.ts";
import { defaultRetrySchedule, planRetry, type RetrySchedule } from "./retry-schedule.ts";
import { type SentAttempt, sendAttempt } from "./send-attempt.ts";
import { testNotification } from "./test-notification.ts";

/**
 * Delivers Order Change Notifications to recipients, at least once, in order per recipient and order.
 *
 * A notification can arrive twice: when a process dies, or the database is away, between the recipient's answer and our
 * record of it, the same delivery is sent again once the lease is over. Both copies carry the same `webhook-id`, by
 * which a recipient may drop the second. It cannot get lost: it stays pending until a recipient acknowledged it, the
 * schedule was used up (then it is in the dead-letter list), or the recipient was removed.
 */
export interface Sender extends Deliverer {
  /**
   * The outbox: keeps the notification and its deliveries in the caller's transaction, so that a change and its
   * deliveries commit together or not at all. Announcing the same change of an order again adds nothing.
   *
   * @returns how many recipients it is for; 0 when none is configured. Paused and disabled ones count: what is for them
   *   waits until they are resumed.
   */
  announce(tx: Tx, announcement: Announcement): Promise<{ readonly deliveries: number }>;
}

/** Works off deliveries of whatever is in its store. */
export interface Deliverer {
  /**
   * Lanes to work on, as dispatches for the queue: fair between recipients, and only so many of one recipient at a time.
   * Together with what waits in the queue already, never more than `limit`.
   */
  takeDueLanes(limit: number): Promise<readonly LaneDispatch[]>;

  /**
   * Sends what is due in one lane, one after the other, until a try fails, nothing is left, or the turn is over.
   * Rejects when the store cannot be reached; the lane is then handed out again when the lease is over.
   *
   * Resolves when the turn is over, or when it has taken `slowAfterMs` and goes on by itself: a recipient that hangs
   * costs a connection and no worker.
   *
   * @param onEnd called when a turn that went on by itself is over, so that what waits for its room is looked for.
   */
  deliver(lane: Lane, onEnd?: () => void): Promise<void>;

  /**
   * Sends a recipient, whatever its state, a body that tells of nothing, and answers what came of it. Nothing is kept, nothing is tried again. Null when there is no such recipient.
   */
  test(recipientId: string): Promise<TestResult | null>;

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
  /** For one whole attempt, from name lookup, or from asking for an access token, to the last byte of the answer. */
  readonly attemptDeadlineMs: number;
  /** For a request to a token endpoint; less than an attempt, so that something is left for the recipient. */
  readonly tokenDeadlineMs: number;
  readonly answerLimitBytes: number;
  /** How much longer than an attempt a lease lasts: time to begin it and to record its outcome. */
  readonly leaseMarginMs: number;
  /** How long a lane is not handed out again while it waits in the queue. */
  readonly dispatchMs: number;
  /** Lanes of one recipient that are worked on at the same time, over all processes. */
  readonly lanesPerRecipientMax: number;
  /** Share of what may be handed out that lanes with a failed delivery take at most, so that fresh ones find room. */
  readonly retriesShare: number;
  /** Deliveries of one lane before others get their turn. */
  readonly deliveriesPerTurnMax: number;
  /** A turn that takes longer goes on beside the workers. */
  readonly slowAfterMs: number;
  /** Turns that may go on beside the workers of this process. */
  readonly slowTurnsMax: number;
  /** What attempts under way get when the sender closes. */
  readonly closeGraceMs: number;
  readonly userAgent: string;
  readonly retry: RetrySchedule;
  readonly health: HealthRules;
}

export const defaultSenderSettings: SenderSettings = {
  attemptDeadlineMs: 15_000,
  tokenDeadlineMs: 10_000,
  answerLimitBytes: 64 * 1024,
  leaseMarginMs: 15_000,
  dispatchMs: 30_000,
  lanesPerRecipientMax: 4,
  retriesShare: 0.75,
  deliveriesPerTurnMax: 20,
  slowAfterMs: 1_000,
  slowTurnsMax: 1_000,
  closeGraceMs: 3_000,
  userAgent: "Skedchange-OCN-Sender",
  retry: defaultRetrySchedule,
  health: defaultHealthRules,
};

export interface SenderOptions extends DelivererOptions {
  readonly store: DeliveryStore;
}

export interface DelivererOptions {
  readonly store: LaneStore;
  /** Whoever made it closes it, after the sender. */
  readonly http: HttpTransport;
  readonly clock: Clock;
  /** A number in [0, 1). */
  readonly random: () => number;
  readonly logger: Logger;
  readonly metrics?: Pick<Metrics, "deliveries" | "recipientTries">;
  readonly settings: SenderSettings;
  /** The body of a test; not given: a notification of an order that does not exist. */
  readonly testBody?: () => Uint8Array;
}

/** A recipient may have so long a deadline of its own. */
export const attemptDeadlineMaxMs = 60_000;

/** Makes a sender. See `Sender` for what it promises. */
export function createSender(options: SenderOptions): Sender {
  return {
    ...createDeliverer(options),
    async announce(tx, announcement) {
      return { deliveries: await options.store.addAnnouncement(tx, announcement) };
    },
  };
}

/** Makes what works off deliveries, without an outbox: for a store that something else fills. */
export function createDeliverer(options: DelivererOptions): Deliverer {
  const { store, settings, clock } = options;
  const holder = newId(clock);
  const leaseMs = settings.attemptDeadlineMs + settings.leaseMarginMs;
  const stopping = new AbortController();
  // Every try that is under way listens to it.
  setMaxListeners(0, stopping.signal);
  const turns = new Set<Promise<void>>();
  let slowTurns = 0;
  const tokens = createAccessTokens({
    http: options.http,
    clock,
    random: options.random,
    deadlineMs: Math.min(settings.tokenDeadlineMs, settings.attemptDeadlineMs),
    userAgent: settings.userAgent,
    signal: stopping.signal,
  });
  let closing = false;

  return {
    async takeDueLanes(limit) {
      const { lanesPerRecipientMax: perRecipient, dispatchMs } = settings;
      const { failuresUntilHeld } = settings.health;
      const retriesMax = Math.max(Math.floor(limit * settings.retriesShare), 1);
      const lanes = await store.takeDueLanes({ limit, perRecipient, retriesMax, failuresUntilHeld, dispatchMs });
      return lanes.map(({ recipientId, orderId }) => ({
        key: `${recipientId}/${orderId}`,
        ids: { recipientId, orderId },
      }));
    },

    async deliver(lane, onEnd) {
      if (closing) return;
      const turn = deliverLane(lane).finally(() => turns.delete(turn));
      turns.add(turn);
      if (slowTurns >= settings.slowTurnsMax || !(await isSlow(turn))) return await turn;
      slowTurns += 1;
      turn
        .catch((error: unknown) =>
          options.logger.error({ ...lane, code: codeOf(error), error }, "delivery.turn_failed"),
        )
        .finally(() => {
          slowTurns -= 1;
          onEnd?.();
        });
    },

    async test(recipientId) {
      const target = await store.readTarget(recipientId);
      return target === null ? null : sendTest(options, tokens, recipientId, target, stopping.signal);
    },

    async close() {
      closing = true;
      const cut = setTimeout(() => stopping.abort(), settings.closeGraceMs);
      await Promise.allSettled(turns);
      clearTimeout(cut);
    },
  };

  async function isSlow(turn: Promise<void>): Promise<boolean> {
    const enough = new AbortController();
    const slow = sleep(settings.slowAfterMs, true, { signal: enough.signal }).catch(() => false);
    try {
      return await Promise.race([slow, turn.then(() => false)]);
    } finally {
      enough.abort();
    }
  }

  async function deliverLane(lane: Lane): Promise<void> {
    const lease = await store.acquireLease(lane, holder, leaseMs);
    if (lease === null) return;
    for (let delivery = 0; delivery < settings.deliveriesPerTurnMax && !closing; delivery += 1) {
      if (!(await deliverFirst(lease))) break;
    }
    // Not in a `finally`: when the outcome of a try could not be recorded, the lane must rest until the lease is over.
    // Released at once it would be due at once, and the recipient would be flooded with copies.
    await store.releaseLease(lease);
  }

  /**
   * Tries the first delivery of the lane, and tries it once more at once when the recipient refused the access token:
   * the token may have been revoked, or the recipient restarted with other keys. Two attempts, because the recipient
   * was asked twice; one failure at most, so the schedule is as it is for every recipient.
   *
   * @returns whether the delivery behind it may be tried now.
   */
  async function deliverFirst(lease: LaneLease): Promise<boolean> {
    const attempt = await store.beginAttempt(lease, leaseMs);
    if (attempt === null) return false;
    const end = await performAttempt(options, tokens, lease, attempt, { renewsToken: true, signal: stopping.signal });
    if (end !== "renew-token" || closing) return end === "lane-is-free";
    const second = await store.beginAttempt(lease, leaseMs);
    if (second === null) return false;
    const turn = { renewsToken: false, signal: stopping.signal };
    return (await performAttempt(options, tokens, lease, second, turn)) === "lane-is-free";
  }
}

/** lane-is-free: the delivery behind this one may be tried now. renew-token: this one may, with another access token. */
type AttemptEnd = "lane-is-free" | "renew-token" | "lane-waits";

/**
 * One try of the first delivery of a lane. `beginAttempt` has committed that it starts: a crash from here on leaves an
 * attempt without outcome, and the delivery is sent again. Only `finishAttempt` may throw.
 */
async function performAttempt(
  options: DelivererOptions,
  tokens: AccessTokens,
  lease: LaneLease,
  attempt: BegunAttempt,
  turn: { readonly renewsToken: boolean; readonly signal: AbortSignal },
): Promise<AttemptEnd> {
  const { store, settings } = options;
  const sent = await sendAttempt(lease.recipientId, attempt, {
    http: options.http,
    tokens,
    deadlineMs: settings.attemptDeadlineMs,
    answerLimitBytes: settings.answerLimitBytes,
    userAgent: settings.userAgent,
    signal: turn.signal,
  });
  const renewsToken = turn.renewsToken && sent.verdict.errorCode === "sender.token_rejected";
  const next: NextStep = renewsToken ? { kind: "again" } : chooseNextStep(options, attempt, sent);
  const now = options.clock.now();
  const health = healthAfter(settings.health, {
    errorCode: sent.verdict.errorCode,
    httpStatus: sent.httpStatus,
    retryAfterMs: readRetryAfterMs(sent.retryAfter, now),
    now,
    random: options.random(),
  });
  const watched = watchHealth(health);
  const leaseHeld = await store.finishAttempt(lease, attempt, toResult(sent), next, watched.change);

  report(options, lease, attempt, sent, next, leaseHeld);
  reportHealth(options, lease.recipientId, watched);
  if (!leaseHeld) return "lane-waits";
  if (renewsToken) return "renew-token";
  return next.kind === "delivered" || next.kind === "dead" ? "lane-is-free" : "lane-waits";
}

/** What is kept of an attempt that was sent. */
function toResult({ verdict, retryAfter: _, ...sent }: SentAttempt): AttemptResult {
  return { ...verdict, ...sent };
}

async function sendTest(
  options: DelivererOptions,
  tokens: AccessTokens,
  recipientId: string,
  target: RecipientTarget,
  signal: AbortSignal,
): Promise<TestResult> {
  const { settings, clock, logger } = options;
  const webhookId = newId(clock);
  const { message } = target;
  const attempt = {
    ...target,
    startedAt: clock.now(),
    delivery: { id: webhookId },
    message: message.kind === "unreadable" ? message : { ...message, body: (options.testBody ?? testNotification)() },
  };
  const { attemptDeadlineMs: deadlineMs, answerLimitBytes, userAgent } = settings;
  const send = () =>
    sendAttempt(recipientId, attempt, { http: options.http, tokens, deadlineMs, answerLimitBytes, userAgent, signal });
  let sent = await send();
  if (sent.verdict.errorCode === "sender.token_rejected") sent = await send();
  const result = toResult(sent);
  logger.info({ recipientId, outcome: result.outcome, errorCode: result.errorCode }, "recipient.tested");
  return { webhookId, ...result };
}

/** Hears what the store makes of a try's health, which only it can judge, to tell people once it is committed. */
function watchHealth(change: HealthChange): HealthWatch {
  if (change.kind !== "failed") return { change, heard: null };
  const watch: { change: HealthChange; heard: HealthWatch["heard"] } = {
    heard: null,
    change: {
      kind: "failed",
      judge: (health) => {
        const verdict = change.judge(health);
        watch.heard = { health, verdict };
        return verdict;
      },
    },
  };
  return watch;
}

interface HealthWatch {
  readonly change: HealthChange;
  readonly heard: { readonly health: RecipientHealth; readonly verdict: HealthVerdict } | null;
}

function reportHealth({ logger }: DelivererOptions, recipientId: string, { heard }: HealthWatch): void {
  if (heard === null) return;
  const { health, verdict } = heard;
  const { failedInRow, failingSince } = health;
  if (verdict.kind === "disable") {
    logger.error({ recipientId, failedInRow, failingSince, reason: verdict.reason }, "recipient.disabled");
  } else if (verdict.notices > health.notices) {
    logger.warn({ recipientId, failedInRow, failingSince, notice: verdict.notices }, "recipient.failing");
  }
}

function chooseNextStep(options: DelivererOptions, attempt: BegunAttempt, sent: SentAttempt): NextStep {
  const { errorCode } = sent.verdict;
  switch (errorCode) {
    case null:
      return { kind: "delivered" };
    case "sender.stopped":
      return { kind: "again" };
    case "sender.recipient_gone": {
      const message =
        "The endpoint answered 410 Gone. Correct its URL, then resume it; what is pending waits for that.";
      return { kind: "disable-recipient", reason: { code: errorCode, message } };
    }
    case "sender.rejected": {
      const message = `The endpoint answered ${sent.httpStatus}, which no further try can change. Replay it once the endpoint takes such notifications.`;
      return { kind: "dead", reason: { code: errorCode, message } };
    }
    default:
      return planNextTry(options, attempt, sent, errorCode);
  }
}

function planNextTry(options: DelivererOptions, attempt: BegunAttempt, sent: SentAttempt, errorCode: string): NextStep {
  const { retry } = options.settings;
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
      const message = `Not acknowledged within ${hours} hours of the first try; the last one ended with ${errorCode}. Replay it once the recipient works.`;
      return { kind: "dead", reason: { code: "sender.gave_up", message } };
    }
    default:
      return assertNever(plan);
  }
}

function report(
  options: DelivererOptions,
  lease: LaneLease,
  attempt: BegunAttempt,
  { verdict, httpStatus, errorMessage, durationMs }: SentAttempt,
  next: NextStep,
  leaseHeld: boolean,
): void {
  const counted = next.kind === "delivered" || next.kind === "dead" ? next.kind : "retried";
  options.metrics?.deliveries.inc({ outcome: counted });
  options.metrics?.recipientTries.count(lease.recipientId, counted);
  const fields = {
    deliveryId: attempt.delivery.id,
    recipientId: lease.recipientId,
    orderId: lease.orderId,
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
  if (verdict.outcome === "delivered" && leaseHeld) options.logger.info(fields, "delivery.attempted");
  else options.logger.warn(fields, "delivery.attempted");
}
