import type { Clock } from "../../kernel/clock.ts";

const minute = 60_000;

/** From this wrong token on, each one locks. */
const lockFrom = 5;
/** The first lock; each further wrong token doubles it. */
const lockMsMin = minute;
const lockMsMax = 60 * minute;
/** After that long without a wrong token the count begins anew. */
const forgottenAfterMs = 24 * 60 * minute;
/** Addresses that are remembered; the one not heard of for longest gives way. */
const addressesMax = 10_000;

/** Slows down whoever tries tokens. */
export interface TokenGuesses {
  /**
   * Counts a try from this address as wrong, before its token is looked at: a hundred at the same moment would otherwise
   * all be looked at before the first is counted. Answers for how many seconds the address is locked, and then counts
   * nothing, so that waiting always helps; 0 when the token may be looked at.
   */
  begin(address: string): number;
  /** The token was right: the address begins anew. */
  forgive(address: string): void;
}

interface Count {
  readonly wrong: number;
  readonly countedAt: number;
  readonly lockedUntil: number;
}

export function createTokenGuesses(clock: Clock): TokenGuesses {
  const counts = new Map<string, Count>();
  return {
    begin(address) {
      const now = clock.now().getTime();
      const before = counts.get(address);
      if (before !== undefined && before.lockedUntil > now) return Math.ceil((before.lockedUntil - now) / 1_000);
      const isForgotten =
        before === undefined || now - Math.max(before.countedAt, before.lockedUntil) > forgottenAfterMs;
      const wrong = (isForgotten ? 0 : before.wrong) + 1;
      const lockMs = wrong < lockFrom ? 0 : Math.min(lockMsMin * 2 ** (wrong - lockFrom), lockMsMax);
      counts.delete(address);
      counts.set(address, { wrong, countedAt: now, lockedUntil: now + lockMs });
      const [oldest] = counts.keys();
      if (counts.size > addressesMax && oldest !== undefined) counts.delete(oldest);
      return 0;
    },
    forgive(address) {
      counts.delete(address);
    },
  };
}
