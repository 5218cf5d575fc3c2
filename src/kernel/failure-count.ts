const minute = 60_000;

/** How often signing in failed lately. */
export interface FailureCount {
  /** Falls with time, so it is no whole number. */
  readonly failures: number;
  readonly countedAt: Date;
  /** Nothing is tried before then. */
  readonly lockedUntil: Date | null;
}

export interface LockoutLimits {
  /** From this failure on, each one locks. */
  readonly lockFrom: number;
  /** In this time one failure is forgotten. */
  readonly forgetMs: number;
}

/** The first lock; each further failure doubles it. */
const lockMsMin = minute;
const lockMsMax = 60 * minute;

/** Counts one more failure; those before it are forgotten little by little. */
export function countFailure(
  before: FailureCount | null,
  now: Date,
  { lockFrom, forgetMs }: LockoutLimits,
): FailureCount {
  // Waiting out a lock is no sign of good will: forgetting begins when it ends.
  const since = Math.max(before?.countedAt.getTime() ?? 0, before?.lockedUntil?.getTime() ?? 0);
  const forgotten = Math.max(0, now.getTime() - since) / forgetMs;
  const failures = Math.max(0, (before?.failures ?? 0) - forgotten) + 1;
  // Rounded, because a little of each failure is forgotten before the next one follows.
  const locks = Math.round(failures) - lockFrom;
  return {
    failures,
    countedAt: now,
    lockedUntil: locks < 0 ? null : new Date(now.getTime() + Math.min(lockMsMin * 2 ** locks, lockMsMax)),
  };
}
