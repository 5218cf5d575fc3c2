/** When a call ends at the latest. Measured on the monotonic clock, which nobody sets back or forward. */
export interface Deadline {
  /** The whole time that was given, in milliseconds. */
  readonly timeoutMs: number;
  /** On the scale of `performance.now()`. */
  readonly endsAt: number;
}

/** Longest timer of Node.js, about 24 days; a longer one fires at once. */
const timerMsMax = 2 ** 31 - 1;

export function deadlineIn(timeoutMs: number): Deadline {
  const bounded = Math.min(timeoutMs, timerMsMax);
  return { timeoutMs: bounded, endsAt: performance.now() + bounded };
}

/** What is left in milliseconds; 0 when it is over. */
export function remainingMs(deadline: Deadline): number {
  return Math.max(0, deadline.endsAt - performance.now());
}
