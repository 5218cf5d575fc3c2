import type { Clock } from "../kernel/clock.ts";
import { createFingerprint } from "../kernel/fingerprint.ts";
import { createMinuteLimit } from "../kernel/minute-limit.ts";
import { createRecentSet } from "../kernel/recent-set.ts";

/**
 * Limits how many wrong credentials one network may send, before anything is looked up. A credential that was right
 * lately is never limited, so those who share a network with an attacker can go on.
 */
export interface GuessLimit {
  /** Returns the seconds until the credential may be looked up; null if it may be now. */
  waitSeconds(network: string, credential: string): number | null;
  record(network: string, credential: string, isRight: boolean): void;
}

const rightMax = 10_000;

export function createGuessLimit(wrongPerMinute: number, clock: Clock): GuessLimit {
  const wrong = createMinuteLimit(wrongPerMinute, clock);
  const right = createRecentSet(rightMax);
  const fingerprint = createFingerprint();
  const fingerprintOf = (credential: string): string => fingerprint(credential).toString("base64");
  return {
    waitSeconds: (network, credential) => (right.has(fingerprintOf(credential)) ? null : wrong.waitSeconds(network)),
    record(network, credential, isRight) {
      const fingerprint = fingerprintOf(credential);
      if (isRight) right.add(fingerprint);
      // One that was right before, such as a session that has ended, is no guess.
      else if (!right.has(fingerprint)) wrong.count(network);
    },
  };
}
