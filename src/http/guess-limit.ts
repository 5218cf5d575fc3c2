import { createCheckQueue } from "../kernel/check-queue.ts";
import type { Clock } from "../kernel/clock.ts";
import { createFingerprint } from "../kernel/fingerprint.ts";
import { createMinuteLimit } from "../kernel/minute-limit.ts";
import { createRecentSet } from "../kernel/recent-set.ts";

/**
 * Limits how many wrong credentials one network may send. Those of a network that has sent too many are looked up a few
 * at a time, so that they occupy nothing, and who shares the network with an attacker can go on. One that was right
 * lately never waits.
 */
export interface GuessLimit {
  /**
   * @returns what was found; null if the credential is wrong; the seconds until the network may try another one if it has
   * sent too many wrong ones
   * @throws AppError `secret.too_many_candidates`, retryable, if too many wait
   */
  lookUp<Found extends object>(
    network: string,
    credential: string,
    find: () => Promise<Found | null>,
  ): Promise<Found | null | { readonly waitSeconds: number }>;
}

const rightMax = 10_000;

export function createGuessLimit(wrongPerMinute: number, clock: Clock): GuessLimit {
  const wrong = createMinuteLimit(wrongPerMinute, clock);
  const right = createRecentSet(rightMax);
  const fingerprint = createFingerprint();
  const queue = createCheckQueue({ running: 4, waiting: 256 });
  return {
    async lookUp(network, credential, find) {
      const name = fingerprint(credential).toString("base64");
      const wasRight = right.has(name);
      const waitSeconds = wasRight ? null : wrong.waitSeconds(network);
      const found = await (waitSeconds === null ? find() : queue.run(network, find, (result) => result !== null));
      if (found !== null) right.add(name);
      // One that was right before, such as a session that has ended, is no guess.
      else if (waitSeconds !== null) return { waitSeconds };
      else if (!wasRight) wrong.count(network);
      return found;
    },
  };
}
