import { AppError } from "../kernel/app-error.ts";
import type { DeliveredAttempt, RecordedAttempt } from "./ports.ts";

export interface AcknowledgedAttempts {
  /**
   * Resolves with whether the lease was still valid. Waits while the database is unavailable, so that a short outage
   * sends nothing twice.
   * @throws AppError `sender.not_recorded` if the sender closes before the database is available again
   */
  record(delivered: DeliveredAttempt): Promise<boolean>;
  count(): number;
  untilSome(): Promise<void>;
  /** At most one per lane, because the lane's next due time depends on it. */
  take(): readonly DeliveredAttempt[];
  /** Resolves the recorded attempts of a batch and requeues the others. */
  settle(batch: readonly DeliveredAttempt[], recorded: readonly RecordedAttempt[]): void;
  /** Rejects all. They are sent again once their leases expire. */
  giveUp(): void;
}

export const senderErrors = { notRecorded: "sender.not_recorded" } as const;

const batchMax = 64;

interface Waiting {
  readonly resolve: (leaseHeld: boolean) => void;
  readonly reject: (error: AppError) => void;
}

export function createAcknowledgedAttempts(): AcknowledgedAttempts {
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
