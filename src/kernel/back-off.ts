/** How long to wait before the next try. */
export interface BackOffPolicy {
  /** Wait after the first failure. */
  readonly baseMs: number;
  /** Longest wait, before jitter. */
  readonly capMs: number;
  /** Share of the wait that is random, 0 to 1. 0.2 spreads a wait of 10 s over 8 to 12 s. */
  readonly jitter: number;
}

/**
 * The wait in milliseconds after the `failures`-th failure in a row (1 or more): base × 2^(failures-1), capped, then
 * spread both ways by the jitter so that many orders that failed together do not come back together.
 *
 * @param random a number in [0, 1); passed in so that tests are exact.
 */
export function backOffMs(policy: BackOffPolicy, failures: number, random: number): number {
  const exponent = Math.min(Math.max(failures, 1) - 1, 30);
  const wait = Math.min(policy.baseMs * 2 ** exponent, policy.capMs);
  return Math.round(wait * (1 + policy.jitter * (2 * random - 1)));
}
