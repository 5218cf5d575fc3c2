import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "../kernel/app-error.ts";
import { type BackOffPolicy, backOffMs } from "../kernel/back-off.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { DeliveredAttempt, LaneStore, RecordedAttempt } from "./ports.ts";

/** Lets attempts that are acknowledged at about the same time share a commit. */
export interface DeliveredRecorder {
  /**
   * Resolves once it is recorded, with whether the lease still held. While the database is away it waits, and its lane with
   * it, so that a short outage doubles nothing.
   *
   * @throws AppError `sender.not_recorded`: the recorder is closed, and the last try has failed.
   */
  record(delivered: DeliveredAttempt): Promise<boolean>;
  /** From now on a failed try is the last one. */
  close(): void;
}

interface Waiting {
  readonly delivered: DeliveredAttempt;
  readonly resolve: (leaseHeld: boolean) => void;
  readonly reject: (error: unknown) => void;
}

export const senderErrors = { notRecorded: "sender.not_recorded" } as const;

/** Attempts of one commit, at most. */
const batchMax = 64;

const outageBackOff: BackOffPolicy = { baseMs: 250, capMs: 5_000, jitter: 0.2 };
/** Until whoever has locked a lane has let go of it. */
const lockedAgainMs = 10;

/** One commit at a time; what comes meanwhile is the next batch. */
export function createDeliveredRecorder(
  store: Pick<LaneStore, "recordDelivered">,
  { logger, random }: { readonly logger: Logger; readonly random: () => number },
): DeliveredRecorder {
  const closing = new AbortController();
  let waiting: Waiting[] = [];
  let isRunning = false;

  async function recordAll(): Promise<void> {
    let failures = 0;
    while (waiting.length > 0) {
      const batch = takeBatch();
      const recorded = await store.recordDelivered(batch.map(({ delivered }) => delivered)).catch((error: unknown) => {
        logger.warn({ error, deliveries: batch.length + waiting.length }, "sender.not_recorded");
        return null;
      });
      failures = recorded === null ? failures + 1 : 0;
      settle(batch, recorded ?? []);
      if (recorded !== null && recorded.length > 0) continue;
      if (closing.signal.aborted) break;
      await pause(recorded === null ? backOffMs(outageBackOff, failures, random()) : lockedAgainMs);
    }
    isRunning = false;
    for (const { delivered, reject } of waiting.splice(0)) reject(toNotRecorded(delivered));
  }

  /** The oldest ones; of two of one lane the second waits for the next batch, as what is due next follows from the first. */
  function takeBatch(): readonly Waiting[] {
    const batch = new Map<string, Waiting>();
    const rest: Waiting[] = [];
    for (const entry of waiting) {
      const { recipientId, orderId } = entry.delivered.attempt.lease;
      const lane = `${recipientId}/${orderId}`;
      if (batch.size >= batchMax || batch.has(lane)) rest.push(entry);
      else batch.set(lane, entry);
    }
    waiting = rest;
    return [...batch.values()];
  }

  function settle(batch: readonly Waiting[], recorded: readonly RecordedAttempt[]): void {
    const heldById = new Map(recorded.map(({ attemptId, leaseHeld }) => [attemptId, leaseHeld]));
    const left: Waiting[] = [];
    for (const entry of batch) {
      const leaseHeld = heldById.get(entry.delivered.attempt.attemptId);
      if (leaseHeld === undefined) left.push(entry);
      else entry.resolve(leaseHeld);
    }
    waiting = [...left, ...waiting];
  }

  async function pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: closing.signal }).catch(() => {});
  }

  return {
    record(delivered) {
      return new Promise((resolve, reject) => {
        waiting.push({ delivered, resolve, reject });
        if (isRunning) return;
        isRunning = true;
        // Not at once: what other connections have already answered shares the commit.
        setImmediate(() => void recordAll());
      });
    },

    close: () => closing.abort(),
  };
}

function toNotRecorded({ attempt }: DeliveredAttempt): AppError {
  const { id } = attempt.delivery;
  return new AppError(
    senderErrors.notRecorded,
    `Delivery ${id} was acknowledged, which could not be recorded. It is sent again, with the same webhook-id.`,
  );
}
