export interface BackOffPolicy {
  readonly baseMs: number;
  /** Before jitter. */
  readonly capMs: number;
  /** The random share of the wait, 0 to 1. 0.2 spreads 10 s over 8 to 12 s. */
  readonly jitter: number;
}

/**
 * base × 2^(failures-1), capped and spread both ways, so that simultaneous failures do not retry together.
 * @param random a number in [0, 1)
 */
export function backOffMs(policy: BackOffPolicy, failures: number, random: number): number {
  const exponent = Math.min(Math.max(failures, 1) - 1, 30);
  const wait = Math.min(policy.baseMs * 2 ** exponent, policy.capMs);
  return Math.round(wait * (1 + policy.jitter * (2 * random - 1)));
}
