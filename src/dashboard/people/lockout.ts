import { countFailure, type LockoutLimits } from "../../kernel/failure-count.ts";
import type { AttemptCounts, AttemptVerdict } from "./ports.ts";

const minute = 60_000;

/**
 * An address may be a whole office behind one router, so it has a higher limit than a user name and is forgotten sooner. It
 * still stops somebody who tries one password with many names.
 */
const limits = {
  username: { lockFrom: 5, forgetMs: 60 * minute },
  address: { lockFrom: 20, forgetMs: 10 * minute },
} as const satisfies AttemptCounts<LockoutLimits>;

/** After this time every count is forgotten and every lock has ended. */
export const failuresForgottenAfterMs = 48 * 60 * minute;

/**
 * Decides whether a sign-in may be attempted now. An attempt counts as failed before its password is compared, so that
 * simultaneous attempts are all counted. Attempts during a lock do not count, so the lock always ends.
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
