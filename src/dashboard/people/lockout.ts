import { countFailure, type FailureCount, type LockoutLimits } from "../../kernel/failure-count.ts";
import type { AttemptCounts, AttemptVerdict, CodeVerdict } from "./ports.ts";

const minute = 60_000;

/**
 * Few for a name at one network, which is one person. Many for a network, which may be a whole office behind one router.
 * A name alone is locked late, since anybody can fail with it from anywhere. Codes are counted for the user alone: only
 * who knows the password gets so far. One guess an hour, day and night for a year, are 9,000 of a million codes.
 */
const limits = {
  device: { lockFrom: 5, forgetMs: 60 * minute },
  username: { lockFrom: 100, forgetMs: 10 * minute },
  address: { lockFrom: 20, forgetMs: 10 * minute },
  code: { lockFrom: 5, forgetMs: 60 * minute },
} as const satisfies Readonly<Record<keyof AttemptCounts | "code", LockoutLimits>>;

/** Since a sign-in succeeded there, failures of others do not lock a name in this browser or at this network. */
export const deviceKnownMs = 30 * 24 * 60 * minute;

/** After this time every count is forgotten and every lock has ended. */
export const failuresForgottenAfterMs = 48 * 60 * minute;

/**
 * Decides whether a sign-in may be attempted now. An attempt counts as failed before its password is compared, so that
 * simultaneous attempts are all counted. Attempts during a lock do not count, so the lock always ends.
 * @param attempt.deviceSucceededAt when the name last signed in there
 * @param attempt.isRecognised whether the password is known to be right: then failures with other names do not count, or
 * one stranger behind the same proxy would lock everybody out
 */
export function judgeAttempt(
  counts: AttemptCounts,
  { deviceSucceededAt, isRecognised }: { readonly deviceSucceededAt: Date | null; readonly isRecognised: boolean },
  now: Date,
): AttemptVerdict {
  const isKnownDevice = deviceSucceededAt !== null && now.getTime() - deviceSucceededAt.getTime() < deviceKnownMs;
  const locks = [
    counts.device,
    ...(isKnownDevice ? [] : [counts.username]),
    ...(isKnownDevice || isRecognised ? [] : [counts.address]),
  ];
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

/** Like `judgeAttempt`, of a code of a second factor. */
export function judgeCode(count: FailureCount | null, now: Date): CodeVerdict {
  const until = count?.lockedUntil ?? null;
  if (until !== null && until > now) return { outcome: "locked", until };
  return { outcome: "counted", count: countFailure(count, now, limits.code) };
}

/** How long somebody waits who is told to come back. */
export function secondsUntil(until: Date, now: Date): number {
  return Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1_000));
}
