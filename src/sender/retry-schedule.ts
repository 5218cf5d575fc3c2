import { type BackOffPolicy, backOffMs } from "../kernel/back-off.ts";

export interface RetrySchedule {
  readonly backOff: BackOffPolicy;
  /** Limits the start of attempts, counted from the first one. */
  readonly giveUpAfterMs: number;
  readonly retryAfterCapMs: number;
}

/** About 20 attempts; three days cover a weekend at the agency. */
export const defaultRetrySchedule: RetrySchedule = {
  backOff: { baseMs: 5_000, capMs: 10 * 3_600_000, jitter: 0.2 },
  giveUpAfterMs: 72 * 3_600_000,
  retryAfterCapMs: 10 * 3_600_000,
};

export type RetryPlan = { readonly kind: "retry"; readonly dueAt: Date } | { readonly kind: "give-up" };

/**
 * @param situation.failures in a row, including this one
 * @param situation.retryAfterMs null without Retry-After
 * @param situation.random in [0, 1)
 */
export function planRetry(
  schedule: RetrySchedule,
  situation: {
    readonly failures: number;
    readonly firstTriedAt: Date;
    readonly now: Date;
    readonly retryAfterMs: number | null;
    readonly random: number;
  },
): RetryPlan {
  const ownMs = backOffMs(schedule.backOff, situation.failures, situation.random);
  const askedMs = Math.min(situation.retryAfterMs ?? 0, schedule.retryAfterCapMs);
  const dueAt = new Date(situation.now.getTime() + Math.max(ownMs, askedMs));
  const lastStart = situation.firstTriedAt.getTime() + schedule.giveUpAfterMs;
  return dueAt.getTime() > lastStart ? { kind: "give-up" } : { kind: "retry", dueAt };
}
