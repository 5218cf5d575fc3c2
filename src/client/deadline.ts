/** By the monotonic clock. */
export interface Deadline {
  readonly timeoutMs: number;
  /** On the scale of `performance.now()`. */
  readonly endsAt: number;
}

/** Node.js's longest timer, about 24 days; a longer one fires at once. */
const timerMsMax = 2 ** 31 - 1;

export function deadlineIn(timeoutMs: number): Deadline {
  const bounded = Math.min(timeoutMs, timerMsMax);
  return { timeoutMs: bounded, endsAt: performance.now() + bounded };
}

export function remainingMs(deadline: Deadline): number {
  return Math.max(0, deadline.endsAt - performance.now());
}
