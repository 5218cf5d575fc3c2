import type { Clock } from "../../kernel/clock.ts";
import { countFailure, type FailureCount } from "../../kernel/failure-count.ts";

/** Few, because the token is pasted and not typed. */
const limits = { lockFrom: 5, forgetMs: 24 * 60 * 60_000 };
/** Beyond it the address that was quiet for longest is dropped. */
const addressesMax = 10_000;

/** Limits guesses of the control token. */
export interface TokenGuesses {
  /**
   * Counts an attempt as wrong before the token is verified, so that concurrent guesses are limited, too. Returns the
   * seconds for which the address is locked; a locked attempt is not counted, so waiting always helps. 0 if the token
   * may be verified.
   */
  begin(address: string): number;
  /** After a right token. */
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
