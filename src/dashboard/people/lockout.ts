import { countFailure, type LockoutLimits } from "../../kernel/failure-count.ts";
import type { AttemptCounts, AttemptVerdict } from "./ports.ts";

const minute = 60_000;

/**
 * Few for a name, which is one person. Many for an address, which may be a whole office behind one router, and
 * forgotten sooner; guessing one password each at many names still runs into it.
 */
const limits = {
  username: { lockFrom: 5, forgetMs: 60 * minute },
  address: { lockFrom: 20, forgetMs: 10 * minute },
} as const satisfies AttemptCounts<LockoutLimits>;

/** By then every count has been forgotten and every lock has ended. */
export const failuresForgottenAfterMs = 48 * 60 * minute;

/**
 * Whether somebody may try to sign in now. A try is counted as failed before its password is looked at: a hundred of
 * them at the same moment would otherwise all be looked at before the first is counted. A try during a lock counts
 * nothing, so that waiting it out always helps.
 */
export function judgeAttempt(counts: AttemptCounts, now: Date): AttemptVerdict {
  const until = [counts.username, counts.address]
    .map((count) => count?.lockedUntil ?? null)
    .filter((lockedUntil) => lockedUntil !== null && lockedUntil > now)
    .reduce((latest, lockedUntil) => (latest === null || lockedUntil! > latest ? lockedUntil : latest), null);
  if (until !== null) return { outcome: "locked", until };
  return {
    outcome: "counted",
    counts: {
      username: countFailure(counts.username, now, limits.username),
      address: countFailure(counts.address, now, limits.address),
    },
  };
}
