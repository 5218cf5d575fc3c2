import { countFailure, type LockoutLimits } from "../../kernel/failure-count.ts";
import type { AttemptCounts, AttemptVerdict } from "./ports.ts";

const minute = 60_000;

/**
 * Few for a name at one network, which is one person. Many for a network, which may be a whole office behind one router.
 * A name alone is locked late, since anybody can fail with it from anywhere.
 */
const limits = {
  device: { lockFrom: 5, forgetMs: 60 * minute },
  username: { lockFrom: 100, forgetMs: 10 * minute },
  address: { lockFrom: 20, forgetMs: 10 * minute },
} as const satisfies AttemptCounts<LockoutLimits>;

/** Since a sign-in succeeded there, failures of others do not lock a name at this network. */
export const deviceKnownMs = 30 * 24 * 60 * minute;

/** By then every count has been forgotten and every lock has ended. */
export const failuresForgottenAfterMs = 48 * 60 * minute;

/**
 * Whether somebody may try to sign in now. An attempt counts as failed before its password is checked: a hundred at the
 * same moment would otherwise all be checked before the first is counted. An attempt during a lock counts nothing, so
 * that waiting it out always helps.
 * @param deviceSucceededAt when the name last signed in from this network
 */
export function judgeAttempt(counts: AttemptCounts, deviceSucceededAt: Date | null, now: Date): AttemptVerdict {
  const isKnownDevice = deviceSucceededAt !== null && now.getTime() - deviceSucceededAt.getTime() < deviceKnownMs;
  const locks = isKnownDevice ? [counts.device] : [counts.device, counts.username, counts.address];
  const ends = locks.map((count) => count?.lockedUntil?.getTime() ?? 0);
  const until = Math.max(...ends);
  if (until > now.getTime()) return { outcome: "locked", until: new Date(until) };
  return {
    outcome: "counted",
    counts: {
      device: countFailure(counts.device, now, limits.device),
      username: countFailure(counts.username, now, limits.username),
      address: countFailure(counts.address, now, limits.address),
    },
  };
}
