import { type BackOffPolicy, backOffMs } from "../kernel/back-off.ts";

/** When failed deliveries are tried again, and when they are given up. */
export interface RetrySchedule {
  readonly backOff: BackOffPolicy;
  /** No try starts later than this after the first one. */
  readonly giveUpAfterMs: number;
  /** Longest wait that a recipient's Retry-After can ask for. */
  readonly retryAfterCapMs: number;
}

/**
 * About 20 tries over three days: after 5 s, 10 s, 20 s and so on, doubling up to 10 hours, each spread by a fifth.
 * Three days outlast a weekend at the agency.
 */
export const defaultRetrySchedule: RetrySchedule = {
  backOff: { baseMs: 5_000, capMs: 10 * 3_600_000, jitter: 0.2 },
  giveUpAfterMs: 72 * 3_600_000,
  retryAfterCapMs: 10 * 3_600_000,
};

export type RetryPlan = { readonly kind: "retry"; readonly dueAt: Date } | { readonly kind: "give-up" };

/**
 * What follows a failed try: another one, or the end. Never earlier than the schedule and never earlier than the
 * recipient asked, up to the cap.
 *
 * @param situation.failures failed tries in a row, this one included.
 * @param situation.retryAfterMs what the answer's Retry-After asked for; null when it did not.
 * @param situation.random a number in [0, 1).
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
