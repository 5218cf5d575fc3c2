import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../kernel/clock.ts";
import { newId } from "../kernel/ids.ts";
import type { Tx } from "../kernel/tx.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { createAccessTokens } from "./access-tokens.ts";
import { createAcknowledgedAttempts } from "./acknowledged-attempts.ts";
import { createAttemptRoom, type RoomSettings } from "./attempt-room.ts";
import type { HttpTransport } from "./http-transport.ts";
import { type PerformOptions, performAttempt, toResult } from "./perform-attempt.ts";
import type {
  Announcement,
  BegunAttempt,
  DeliveredAttempt,
  DeliveryStore,
  LaneStore,
  RecipientTarget,
  TestResult,
} from "./ports.ts";
import { defaultHealthRules, type HealthRules } from "./recipient-health.ts";
import { createRecipientSlots } from "./recipient-slots.ts";
import { defaultRetrySchedule, type RetrySchedule } from "./retry-schedule.ts";
import { type SendOptions, sendAttempt } from "./send-attempt.ts";
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
   * Records what was acknowledged, and begins what is due, as far as this process has room: deliveries of different lanes, fair
   * between recipients. Resolves once they are written down as begun; they are sent beside it. Rejects when the store cannot
   * be reached; what could not be recorded is kept for the next call.
   *
   * @param onRoom called when there is something to record, or room for more.
   */
  deliverDue(onRoom?: () => void): Promise<Look>;

  /** Records what ends and begins nothing, until no attempt is under way. */
  settle(): Promise<void>;

  /**
   * Sends a recipient, whatever its state, a body that tells of nothing, and answers what came of it. Nothing is kept, nothing is tried again. Null when there is no such recipient.
   */
  test(recipientId: string): Promise<TestResult | null>;

  /** Begins no further attempt, gives those under way a little time, then cuts them short. They are due again at once. */
  close(): Promise<void>;
}

export interface Look {
  /** Attempts that began. */
  readonly begun: number;
  /** Whether to look again at once. */
  readonly isIncomplete: boolean;
}

export interface SenderSettings extends RoomSettings {
  /** For one whole attempt, from name lookup, or from asking for an access token, to the last byte of the answer. */
  readonly attemptDeadlineMs: number;
  /** For a request to a token endpoint; less than an attempt, so that something is left for the recipient. */
  readonly tokenDeadlineMs: number;
  readonly answerLimitBytes: number;
  /** How much longer than an attempt a lease lasts: time to begin it and to record its outcome. */
  readonly leaseMarginMs: number;
  /** Lanes of one recipient that are delivered at the same time, over all processes. */
  readonly lanesPerRecipientMax: number;
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
  lanesPerRecipientMax: 4,
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
  /** Whoever made it closes it, after the sender. */
  readonly http: HttpTransport;
  readonly clock: Clock;
  /** A number in [0, 1). */
  readonly random: () => number;
  readonly logger: Logger;
  readonly metrics?: Pick<Metrics, "deliveries" | "recipientAttempts">;
  readonly settings: SenderSettings;
  /** The body of a test; not given: a notification of an order that does not exist. */
  readonly testBody?: () => Uint8Array;
}

/** Acknowledgements that come within this time of each other are recorded together. */
const gatherMs = 1;
/** A recipient that answers within this time is given its next notification at once: more of them are claimed ahead. */
const quickAnswerMs = 100;
/** Until whoever has locked a lane has let go of it. */
const lockedAgainMs = 10;

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
  const { store, settings, clock, logger } = options;
  const stopping = new AbortController();
  // Every try that is under way listens to it.
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
      answerLimitBytes: settings.answerLimitBytes,
      userAgent: settings.userAgent,
      signal: stopping.signal,
    },
    retry: settings.retry,
    health: settings.health,
  };
  let signalRoom = (): void => {};
  const slots = createRecipientSlots(settings.slowAfterMs, () => performance.now());
  const room = createAttemptRoom(settings, () => signalRoom());
  const bounds = {
    perRecipient: settings.lanesPerRecipientMax,
    failuresUntilPaused: settings.health.failuresUntilPaused,
    holder: newId(clock),
    leaseMs: settings.attemptDeadlineMs + settings.leaseMarginMs,
  };
  const underWay = new Set<Promise<void>>();
  /** Deliveries whose access token was refused, and which are tried once more with another one. */
  const renewed = new Set<string>();
  let exchanging: Promise<unknown> = Promise.resolve();
  let closing = false;

  async function perform(attempt: BegunAttempt): Promise<void> {
    const { id, failures } = attempt.delivery;
    const { recipientId } = attempt.lease;
    const leaveRoom = room.enter(failures > 0);
    const mayBeSent = await slots.take(recipientId, attempt.slotsMax);
    let hasSlot = mayBeSent;
    const leaveSlot = (isWell: boolean): void => {
      if (hasSlot) slots.leave(recipientId, { isWell });
      hasSlot = false;
    };
    let isAnswered = false;
    const onAnswered = (isAcknowledged: boolean): void => {
      if (!isAnswered) leaveRoom();
      isAnswered = true;
      // Otherwise it is still to be found out whether the recipient is to be sent anything for a while.
      if (isAcknowledged) leaveSlot(true);
    };
    const choices = { renewsToken: mayBeSent && !renewed.delete(id), mayBeSent, onAnswered };
    const end = await performAttempt(performing, attempt, choices).catch((error: unknown) => {
      // The lane rests until the lease is over. Released at once it would be due at once, and the recipient would be flooded
      // with copies.
      logger.error({ ...attempt.lease, deliveryId: id, error }, "sender.failed");
      return "not-recorded" as const;
    });
    // Also when it could not even be sent, for a reason that nobody thought of.
    onAnswered(false);
    leaveSlot(end !== "recipient-held");
    if (end === "renew-token") renewed.add(id);
    // The exchange that records a delivery has looked for more.
    if (end !== "delivered") signalRoom();
  }

  /** What other recipients answer at about the same time shares the exchange. */
  function recordSoon(delivered: DeliveredAttempt): Promise<boolean> {
    const recorded = acknowledged.record(delivered);
    if (acknowledged.count() === underWay.size) signalRoom();
    else if (acknowledged.count() === 1) setTimeout(signalAcknowledged, gatherMs);
    return recorded;
  }

  function signalAcknowledged(): void {
    if (acknowledged.count() > 0) signalRoom();
  }

  /** Records what was acknowledged, and begins as much more as there is room for. */
  async function exchange({ begins }: { readonly begins: boolean }): Promise<Look> {
    const delivered = acknowledged.take();
    const free = room.free();
    const limit = begins && !closing ? free.attempts : 0;
    if (limit === 0 && delivered.length === 0) return { begun: 0, isIncomplete: false };
    const { recorded, attempts, isIncomplete, failure } = await store
      .recordAndClaim(delivered, { ...bounds, limit, retriesMax: free.retries, aheadFor: findQuick(delivered) })
      .catch((error: unknown) => {
        acknowledged.settle(delivered, []);
        throw error;
      });
    acknowledged.settle(delivered, recorded);
    if (recorded.length < delivered.length) setTimeout(signalAcknowledged, lockedAgainMs);
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
      await exchange({ begins: false }).catch((error: unknown) => {
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
      const look = exchange({ begins: true });
      exchanging = look.catch(() => {});
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
      await exchanging;
      await settle();
      clearTimeout(cut);
    },
  };
}

/** Recipients that are sent their next notifications while these are recorded, so more than these are claimed. */
function findQuick(delivered: readonly DeliveredAttempt[]): readonly string[] {
  const quick = delivered.filter(({ result }) => result.durationMs < quickAnswerMs);
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
