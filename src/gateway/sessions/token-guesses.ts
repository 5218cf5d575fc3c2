import type { Clock } from "../../kernel/clock.ts";
import { countFailure, type FailureCount } from "../../kernel/failure-count.ts";

/** Few, because the token is pasted and not typed from memory. */
const limits = { lockFrom: 5, forgetMs: 24 * 60 * 60_000 };
/** Addresses that are remembered; the one not heard of for longest gives way. */
const addressesMax = 10_000;

/** Slows down whoever tries tokens. */
export interface TokenGuesses {
  /**
   * Counts a try from this address as wrong, before its token is looked at: a hundred at the same moment would otherwise
   * all be looked at before the first is counted. Returns for how many seconds the address is locked, and then counts
   * nothing, so that waiting always helps; 0 when the token may be looked at.
   */
  begin(address: string): number;
  /** The token was right: the address begins anew. */
  reset(address: string): void;
}

export function createTokenGuesses(clock: Clock): TokenGuesses {
  const counts = new Map<string, FailureCount>();
  return {
    begin(address) {
      const now = clock.now();
      const before = counts.get(address) ?? null;
      const lockedMs = (before?.lockedUntil?.getTime() ?? 0) - now.getTime();
      if (lockedMs > 0) return Math.ceil(lockedMs / 1_000);
      counts.delete(address);
      counts.set(address, countFailure(before, now, limits));
      const [oldest] = counts.keys();
      if (counts.size > addressesMax && oldest !== undefined) counts.delete(oldest);
      return 0;
    },
    reset(address) {
      counts.delete(address);
    },
  };
}
