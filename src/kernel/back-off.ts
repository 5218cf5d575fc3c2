export interface BackOffPolicy {
  /** Wait after the first failure. */
  readonly baseMs: number;
  /** Longest wait, before jitter. */
  readonly capMs: number;
  /** The random share of the wait, 0 to 1. 0.2 spreads 10 s over 8 to 12 s. */
  readonly jitter: number;
}

/**
 * Returns the wait in ms after `failures` (1 or more) in a row: base × 2^(failures-1), capped, spread both ways by the
 * jitter so that simultaneous failures do not retry together.
 * @param random a number in [0, 1)
 */
export function backOffMs(policy: BackOffPolicy, failures: number, random: number): number {
  const exponent = Math.min(Math.max(failures, 1) - 1, 30);
  const wait = Math.min(policy.baseMs * 2 ** exponent, policy.capMs);
  return Math.round(wait * (1 + policy.jitter * (2 * random - 1)));
}
