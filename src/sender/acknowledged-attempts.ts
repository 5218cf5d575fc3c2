import { AppError } from "../kernel/app-error.ts";
import type { DeliveredAttempt, RecordedAttempt } from "./ports.ts";

/** Attempts that were acknowledged and are not recorded yet. */
export interface AcknowledgedAttempts {
  /**
   * Resolves once it is recorded, with whether the lease still held. While the database is away it waits, and its lane with
   * it, so that a short outage doubles nothing.
   *
   * @throws AppError `sender.not_recorded`: the sender has closed, and the last try has failed.
   */
  record(delivered: DeliveredAttempt): Promise<boolean>;
  count(): number;
  /** Resolves when there is one. */
  untilSome(): Promise<void>;
  /**
   * Takes the oldest ones for one commit. Of two of one lane the second is left for the next, as what is due next in the lane
   * follows from the first.
   */
  take(): readonly DeliveredAttempt[];
  /** Ends the wait of those that were recorded, of a batch that was taken; the others wait again. */
  settle(batch: readonly DeliveredAttempt[], recorded: readonly RecordedAttempt[]): void;
  /** Ends the wait of all. They are sent again once their leases are over. */
  giveUp(): void;
}

export const senderErrors = { notRecorded: "sender.not_recorded" } as const;

/** Attempts of one commit, at most. */
const batchMax = 64;

interface Waiting {
  readonly resolve: (leaseHeld: boolean) => void;
  readonly reject: (error: AppError) => void;
}

export function createAcknowledgedAttempts(): AcknowledgedAttempts {
  /** By the id of the attempt. */
  const callers = new Map<string, Waiting>();
  let waiting: readonly DeliveredAttempt[] = [];
  let signalSome = (): void => {};

  return {
    record(delivered) {
      return new Promise((resolve, reject) => {
        callers.set(delivered.attempt.attemptId, { resolve, reject });
        waiting = [...waiting, delivered];
        signalSome();
      });
    },

    count: () => waiting.length,

    async untilSome() {
      if (waiting.length > 0) return;
      await new Promise<void>((resolve) => {
        signalSome = resolve;
      });
    },

    take() {
      const batch = new Map<string, DeliveredAttempt>();
      for (const delivered of waiting) {
        const { recipientId, orderId } = delivered.attempt.lease;
        const lane = `${recipientId}/${orderId}`;
        if (batch.size < batchMax && !batch.has(lane)) batch.set(lane, delivered);
      }
      const taken = new Set(batch.values());
      waiting = waiting.filter((delivered) => !taken.has(delivered));
      return [...taken];
    },

    settle(batch, recorded) {
      const leaseHeldById = new Map(recorded.map(({ attemptId, leaseHeld }) => [attemptId, leaseHeld]));
      waiting = [...batch.filter(({ attempt }) => !leaseHeldById.has(attempt.attemptId)), ...waiting];
      for (const [attemptId, leaseHeld] of leaseHeldById) {
        callers.get(attemptId)?.resolve(leaseHeld);
        callers.delete(attemptId);
      }
    },

    giveUp() {
      for (const { attempt } of waiting) {
        callers.get(attempt.attemptId)?.reject(toNotRecorded(attempt.delivery.id));
        callers.delete(attempt.attemptId);
      }
      waiting = [];
    },
  };
}

function toNotRecorded(deliveryId: string): AppError {
  return new AppError(
    senderErrors.notRecorded,
    `Delivery ${deliveryId} was acknowledged, which could not be recorded. It is sent again, with the same webhook-id.`,
  );
}
