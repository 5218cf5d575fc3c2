import type { Clock } from "../../kernel/clock.ts";
import { networkOf } from "../../kernel/networks.ts";
import type { Logger } from "../../telemetry/logger.ts";
import { attemptSubjects } from "./attempt-subjects.ts";
import { judgeAttempt } from "./lockout.ts";
import { generatePassword, isPasswordOf } from "./password.ts";
import type { CountedAttempt, PeopleStore, StoredCredentials } from "./ports.ts";
import { normaliseUsername, usernamePattern } from "./username.ts";

export type PasswordCheck =
  | {
      readonly outcome: "right";
      readonly stored: StoredCredentials & { readonly passwordHash: string };
      readonly counted: CountedAttempt;
    }
  /** Unknown, wrong or disabled, or the account has no password. */
  | { readonly outcome: "wrong"; readonly userId: string | null }
  | LockedOut;

export type LockedOut = { readonly outcome: "locked"; readonly retryAfterSeconds: number };

/** Checks the password of a user name, at `address`. Each check counts as failed until its success is stored. */
export type CheckPassword = (username: string, password: string, address: string) => Promise<PasswordCheck>;

export function createPasswordCheck(options: {
  readonly store: Pick<PeopleStore, "countAttempt" | "findCredentials">;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly hash: (password: string) => Promise<string>;
}): CheckPassword {
  const { store, clock, logger, hash } = options;
  /** Compared with when there is no such user, so that the response takes as long as when there is. */
  const decoyHash = onceMade(() => hash(generatePassword()));

  return async (typed, password, address) => {
    const username = normaliseUsername(typed);
    const at = clock.now();
    const subjects = attemptSubjects(username, address);
    const decoy = await decoyHash();
    const verdict = await store.countAttempt(
      subjects,
      (counts, succeededAt) => judgeAttempt(counts, succeededAt, at),
      at,
    );
    if (verdict.outcome === "locked") {
      logger.warn({ address }, "people.sign_in_locked");
      return {
        outcome: "locked",
        retryAfterSeconds: Math.max(1, Math.ceil((verdict.until.getTime() - at.getTime()) / 1_000)),
      };
    }
    const stored = usernamePattern.test(username) ? await store.findCredentials(username) : null;
    const matches = await isPasswordOf(stored?.passwordHash ?? decoy, password, networkOf(address));
    const passwordHash = stored?.passwordHash ?? null;
    if (stored === null || passwordHash === null || !matches || stored.user.disabled) {
      return { outcome: "wrong", userId: stored?.user.id ?? null };
    }
    return {
      outcome: "right",
      stored: { ...stored, passwordHash },
      counted: { subjects, counts: verdict.counts },
    };
  };
}

function onceMade<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make();
    return made;
  };
}
