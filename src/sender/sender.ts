import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../kernel/clock.ts";
import { newId } from "../kernel/ids.ts";
import type { Tx } from "../kernel/tx.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { during, noTracer, type Tracer } from "../telemetry/tracing.ts";
import { createAccessTokens } from "./access-tokens.ts";
import { createAcknowledgedAttempts } from "./acknowledged-attempts.ts";
import { createAttemptRoom, type RoomSettings } from "./attempt-room.ts";
import type { HttpTransport } from "./http-transport.ts";
import { createLanesByLatency, slowMs } from "./lanes-by-latency.ts";
import { type PerformOptions, performAttempt, toResult } from "./perform-attempt.ts";
import type {
  AddedAnnouncement,
  Announcement,
  BegunAttempt,
  DeliveredAttempt,
  DeliveryStore,
  LaneStore,
  RecipientTarget,
  TestResult,
} from "./ports.ts";
import { recipientDefaults } from "./recipient-defaults.ts";
import { defaultHealthRules, type HealthRules } from "./recipient-health.ts";
import { createRecipientSlots } from "./recipient-slots.ts";
import { defaultRetrySchedule, type RetrySchedule } from "./retry-schedule.ts";
import { type SendOptions, sendAttempt } from "./send-attempt.ts";
import { testNotification } from "./test-notification.ts";

/**
 * Delivers at least once, and in order within a lane. A delivery whose response could not be recorded is sent again
 * with the same `webhook-id`. Each stays pending until it is acknowledged, becomes a dead letter, or its recipient is
 * removed.
 */
export interface Sender extends Deliverer {
  /**
   * The outbox: stores a delivery for each recipient, in the caller's transaction, unless the change was announced
   * before. Paused and disabled recipients get it once they are resumed.
   */
  announce(tx: Tx, announcement: Announcement): Promise<AddedAnnouncement>;
}

export interface Deliverer {
  /**
   * Records acknowledged attempts and starts due ones as room permits. Resolves once their start is committed, before
   * they are sent. Rejects if the store is unreachable; unrecorded attempts wait for the next call.
   * @param onRoom called when there is something to record, or more room
   */
  deliverDue(onRoom?: () => void): Promise<DeliveryRound>;

  /** Waits until no attempt is under way, and starts none. */
  settle(): Promise<void>;

  /** Sends a test body to a recipient in any state; stores nothing. Returns null if there is no such recipient. */
  test(recipientId: string): Promise<TestResult | null>;

  /** Starts no attempts, gives running ones a short time, then aborts them. They are due again at once. */
  close(): Promise<void>;
}

export interface DeliveryRound {
  readonly begun: number;
  /** Whether to call again at once. */
  readonly isIncomplete: boolean;
}

export interface SenderSettings extends RoomSettings {
  /** Includes the token request and the whole response. */
  readonly attemptDeadlineMs: number;
  /** Leaves time for the recipient. */
  readonly tokenDeadlineMs: number;
  readonly responseLimitBytes: number;
  /** A lease lasts so much longer than its attempt, to start it and to record its outcome. */
  readonly leaseMarginMs: number;
  /** For recipients that do not respond quickly, and have no limit of their own. */
  readonly lanesPerRecipient: number;
  readonly closeGraceMs: number;
  readonly userAgent: string;
  readonly retry: RetrySchedule;
  readonly health: HealthRules;
}

export const defaultSenderSettings: SenderSettings = {
  attemptDeadlineMs: recipientDefaults.deadlineMs,
  tokenDeadlineMs: 10_000,
  responseLimitBytes: 64 * 1024,
  leaseMarginMs: 15_000,
  lanesPerRecipient: recipientDefaults.lanes,
  concurrentAttemptsMax: 64,
  retriesShare: 0.75,
  slowAfterMs: 1_000,
  concurrentSlowAttemptsMax: 1_000,
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
  /** The caller closes it, after the sender. */
  readonly http: HttpTransport;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  readonly logger: Logger;
  readonly metrics?: Pick<Metrics, "deliveries" | "recipientAttempts">;
  readonly tracer?: Tracer;
  readonly settings: SenderSettings;
  /** The body of a test. Default: a notification of an order that does not exist. */
  readonly testBody?: () => Uint8Array;
}

/** How long acknowledgements are gathered. Their recipients get nothing more before they are recorded. */
const gatherMs = 3;
/** The same while more is claimed for their recipients, which therefore do not wait. */
const gatherAheadMs = 50;
const lockedAgainMs = 10;

/** The longest that a recipient may set. */
export const attemptDeadlineMaxMs = 60_000;

export function createSender(options: SenderOptions): Sender {
  return {
    ...createDeliverer(options),
    async announce(tx, announcement) {
      const { orderId, changeId } = announcement;
      const attributes = { "skedchange.order.id": orderId, "skedchange.change.id": changeId };
      const span = (options.tracer ?? noTracer).start("announce change", { attributes });
      const traced = { ...announcement, traceparent: span.traceparent };
      return during(span, () => options.store.addAnnouncement(tx, traced));
    },
  };
}

/** Has no outbox: something else fills its store. */
export function createDeliverer(options: DelivererOptions): Deliverer {
  const { store, settings, clock, logger } = options;
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  const tokens = createAccessTokens({
    http: options.http,
    clock,
    random: options.random,
    deadlineMs: Math.min(settings.tokenDeadlineMs, settings.attemptDeadlineMs),
    userAgent: settings.userAgent,
    signal: stopping.signal,
  });
  const acknowledged = createAcknowledgedAttempts();
  const performing: PerformOptions = {
    ...options,
    metrics: options.metrics,
    acknowledged: { record: recordSoon },
    send: {
      http: options.http,
      tokens,
      deadlineMs: settings.attemptDeadlineMs,
      responseLimitBytes: settings.responseLimitBytes,
      userAgent: settings.userAgent,
      signal: stopping.signal,
    },
    retry: settings.retry,
    health: settings.health,
  };
  let signalRoom = (): void => {};
  const slots = createRecipientSlots(settings.slowAfterMs, () => performance.now());
  const room = createAttemptRoom(settings, () => signalRoom());
  const lanes = createLanesByLatency(settings.lanesPerRecipient);
  const bounds = {
    perRecipient: settings.lanesPerRecipient,
    failuresUntilHold: settings.health.failuresUntilHold,
    holder: newId(clock),
    leaseMs: settings.attemptDeadlineMs + settings.leaseMarginMs,
  };
  const underWay = new Set<Promise<void>>();
  const renewed = new Set<string>();
  /** When what is acknowledged will be recorded at the latest. */
  let recording: { readonly at: number; readonly timer: NodeJS.Timeout } | null = null;
  let recordingAndClaiming: Promise<unknown> = Promise.resolve();
  let closing = false;

  async function perform(attempt: BegunAttempt): Promise<void> {
    const { id, failures } = attempt.delivery;
    const { recipientId } = attempt.lease;
    const mayBeSent = await slots.take(recipientId, attempt.slotsMax);
    // One that waits for others of its recipient takes no room.
    const leaveRoom = mayBeSent ? room.enter(failures > 0) : () => {};
    let hasSlot = mayBeSent;
    const leaveSlot = (isWell: boolean): void => {
      if (hasSlot) slots.leave(recipientId, { isWell });
      hasSlot = false;
    };
    let hasResponded = false;
    const onResponded = (isAcknowledged: boolean): void => {
      if (!hasResponded) leaveRoom();
      hasResponded = true;
      // Otherwise the store still has to decide whether to hold the recipient.
      if (isAcknowledged) leaveSlot(true);
    };
    const choices = { renewsToken: mayBeSent && !renewed.delete(id), mayBeSent, onResponded };
    const end = await performAttempt(performing, attempt, choices).catch((error: unknown) => {
      // The lane stays leased, because a released one would be due at once and send copies in a loop.
      logger.error({ ...attempt.lease, deliveryId: id, error }, "sender.failed");
      return "not-recorded" as const;
    });
    // Also after an unexpected error before sending.
    onResponded(false);
    leaveSlot(end !== "recipient-held");
    if (end === "renew-token") renewed.add(id);
    if (end !== "delivered") lanes.failed(recipientId);
    // What recorded the delivery has claimed more already.
    if (end !== "delivered") signalRoom();
  }

  /**
   * Gathers acknowledgements, because many are recorded for little more than one. One that nothing else is under way with
   * does not wait, nor do more than half of what is under way, so that the others are being sent while these are recorded.
   */
  function recordSoon(delivered: DeliveredAttempt): Promise<boolean> {
    const { recipientId } = delivered.attempt.lease;
    lanes.acknowledged(recipientId, delivered.result.durationMs);
    const recorded = acknowledged.record(delivered);
    if (acknowledged.count() * 2 >= underWay.size) signalRoom();
    else recordWithin(slots.hasWaiting(recipientId) ? gatherAheadMs : gatherMs);
    return recorded;
  }

  function recordWithin(ms: number): void {
    const at = performance.now() + ms;
    if (recording !== null && recording.at <= at) return;
    clearTimeout(recording?.timer);
    recording = { at, timer: setTimeout(signalAcknowledged, ms) };
  }

  function signalAcknowledged(): void {
    recording = null;
    if (acknowledged.count() > 0) signalRoom();
  }

  async function recordAndClaim({ mayClaim }: { readonly mayClaim: boolean }): Promise<DeliveryRound> {
    const delivered = acknowledged.take();
    clearTimeout(recording?.timer);
    recording = null;
    const free = room.free();
    const limit = mayClaim && !closing ? free.attempts : 0;
    if (limit === 0 && delivered.length === 0) return { begun: 0, isIncomplete: false };
    const claim = {
      ...bounds,
      limit,
      retriesMax: free.retries,
      raised: lanes.raised(),
      aheadFor: findQuick(delivered),
    };
    const { recorded, attempts, isIncomplete, failure } = await store
      .recordAndClaim(delivered, claim)
      .catch((error: unknown) => {
        acknowledged.settle(delivered, []);
        throw error;
      });
    acknowledged.settle(delivered, recorded);
    if (recorded.length < delivered.length) recordWithin(lockedAgainMs);
    for (const attempt of attempts) {
      const performed = perform(attempt).finally(() => underWay.delete(performed));
      underWay.add(performed);
    }
    if (failure !== null) throw failure;
    return { begun: attempts.length, isIncomplete };
  }

  async function settle(): Promise<void> {
    while (underWay.size > 0) {
      await Promise.race([Promise.all(underWay), acknowledged.untilSome()]);
      if (acknowledged.count() === 0) continue;
      await recordAndClaim({ mayClaim: false }).catch((error: unknown) => {
        logger.warn({ error, deliveries: acknowledged.count() }, "sender.not_recorded");
        if (closing) acknowledged.giveUp();
      });
      if (acknowledged.count() === 0) continue;
      if (stopping.signal.aborted) acknowledged.giveUp();
      else await sleep(lockedAgainMs);
    }
  }

  return {
    deliverDue(onRoom = () => {}) {
      signalRoom = onRoom;
      const look = recordAndClaim({ mayClaim: true });
      recordingAndClaiming = look.catch(() => {});
      return look;
    },

    settle,

    async test(recipientId) {
      const target = await store.readTarget(recipientId);
      return target === null ? null : sendTest(options, performing.send, recipientId, target);
    },

    async close() {
      closing = true;
      slots.close();
      const cut = setTimeout(() => stopping.abort(), settings.closeGraceMs);
      await recordingAndClaiming;
      await settle();
      clearTimeout(cut);
    },
  };
}

function findQuick(delivered: readonly DeliveredAttempt[]): readonly string[] {
  const quick = delivered.filter(({ result }) => result.durationMs < slowMs);
  return [...new Set(quick.map(({ attempt }) => attempt.lease.recipientId))];
}

async function sendTest(
  { clock, logger, testBody = testNotification }: DelivererOptions,
  send: SendOptions,
  recipientId: string,
  target: RecipientTarget,
): Promise<TestResult> {
  const webhookId = newId(clock);
  const { message } = target;
  const attempt = {
    ...target,
    startedAt: clock.now(),
    delivery: { id: webhookId },
    message: message.kind === "unreadable" ? message : { ...message, body: testBody() },
  };
  let sent = await sendAttempt(recipientId, attempt, send);
  if (sent.verdict.errorCode === "sender.token_rejected") sent = await sendAttempt(recipientId, attempt, send);
  const result = toResult(sent);
  logger.info({ recipientId, outcome: result.outcome, errorCode: result.errorCode }, "recipient.tested");
  return { webhookId, ...result };
}
