import { codeOf } from "../../kernel/app-error.ts";
import { createCheckQueue, tooManyCandidates } from "../../kernel/check-queue.ts";
import type { Clock } from "../../kernel/clock.ts";
import { createMinuteLimit } from "../../kernel/minute-limit.ts";
import { networkOf } from "../../kernel/networks.ts";
import type { Logger } from "../../telemetry/logger.ts";
import { type AttemptPlace, attemptSubjects } from "./attempt-subjects.ts";
import { judgeAttempt, secondsUntil } from "./lockout.ts";
import { generatePassword, isPasswordOf } from "./password.ts";
import type { PasswordProofs } from "./password-proofs.ts";
import type { AttemptVerdict, CountedAttempt, PeopleStore, StoredCredentials } from "./ports.ts";
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

/** Checks the password of a user name. Each check counts as failed until its success is stored. */
export type CheckPassword = (username: string, password: string, place: AttemptPlace) => Promise<PasswordCheck>;

interface Attempt {
  readonly username: string;
  readonly password: string;
  readonly place: AttemptPlace;
  /** What limits count for: the browser if it is known, else the network. */
  readonly caller: string;
  readonly decoy: string;
}

interface LookedUp {
  readonly stored: StoredCredentials | null;
  /** Whether the password is right, as its proof shows. */
  readonly isRecognised: boolean;
  readonly counted: CountedAttempt;
}

/** In one browser that is known, else at one network, which may be a whole office: more wrong ones are not compared. */
const guessesPerMinute = 60;

/**
 * A right password is recognised before anything waits. So whoever guesses, also at the same address, locks at most the
 * name that they guess for, and not in a browser where that name has signed in. All others cost a hash, in turn.
 */
export function createPasswordCheck(options: {
  readonly store: Pick<PeopleStore, "countAttempt" | "readAttempt">;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly proofs: PasswordProofs;
  readonly hash: (password: string) => Promise<string>;
}): CheckPassword {
  const { store, clock, logger, proofs, hash } = options;
  /** Compared with when there is no such user, so that the response takes as long as when there is. */
  const decoyHash = onceMade(() => hash(generatePassword()));
  const guesses = createMinuteLimit(guessesPerMinute, clock);
  const lookUps = createCheckQueue({ running: 4, waiting: 256, waitMs: 10_000 });

  return async (typed, password, place) => {
    try {
      return await check(typed, password, place);
    } catch (error) {
      if (codeOf(error) !== tooManyCandidates) throw error;
      return locked(1, place);
    }
  };

  async function check(typed: string, password: string, place: AttemptPlace): Promise<PasswordCheck> {
    const username = normaliseUsername(typed);
    const decoy = await decoyHash();
    const caller = place.browserId ?? networkOf(place.address);
    const looked = await lookUps.run(
      caller,
      () => lookUp({ username, password, place, caller, decoy }),
      (found) => "isRecognised" in found && found.isRecognised,
    );
    if ("outcome" in looked) return looked;
    const { stored, isRecognised, counted } = looked;
    const passwordHash = stored?.passwordHash ?? null;
    const matches = isRecognised || (await isPasswordOf(passwordHash ?? decoy, password, caller));
    if (stored === null || passwordHash === null || !matches || stored.user.disabled) {
      return { outcome: "wrong", userId: stored?.user.id ?? null };
    }
    return { outcome: "right", stored: { ...stored, passwordHash }, counted };
  }

  /** Reads what is stored, and counts the attempt unless something locks it. */
  async function lookUp(attempt: Attempt): Promise<LookedUp | LockedOut> {
    const { username, password, place, caller, decoy } = attempt;
    const at = clock.now();
    const subjects = attemptSubjects(username, place);
    const nameOfUser = usernamePattern.test(username) ? username : null;
    const { stored, counts, deviceSucceededAt } = await store.readAttempt(nameOfUser, subjects);
    // What locks it whatever the password is comes first: time must not tell a right one.
    const before = judgeAttempt(counts, { deviceSucceededAt, isRecognised: true }, at);
    if (before.outcome === "locked") return lockedUntil(before, at, place);
    const passwordHash = stored?.passwordHash ?? decoy;
    const isRecognised = proofs.proves({ passwordHash, passwordProof: stored?.passwordProof ?? null }, password);
    const waitSeconds = isRecognised ? null : guesses.count(caller);
    const count = () =>
      store.countAttempt(
        subjects,
        (latest, succeededAt) => judgeAttempt(latest, { deviceSucceededAt: succeededAt, isRecognised }, at),
        at,
      );
    if (waitSeconds !== null) {
      // Not awaited, so that the time does not tell whether there is such a user.
      if (stored !== null) count().catch((error: unknown) => logger.warn({ error }, "people.attempt_not_counted"));
      return locked(waitSeconds, place);
    }
    const verdict = await count();
    if (verdict.outcome === "locked") return lockedUntil(verdict, at, place);
    return { stored, isRecognised, counted: { subjects, counts: verdict.counts } };
  }

  function lockedUntil({ until }: Extract<AttemptVerdict, { outcome: "locked" }>, at: Date, place: AttemptPlace) {
    return locked(secondsUntil(until, at), place);
  }

  function locked(retryAfterSeconds: number, { address }: AttemptPlace): LockedOut {
    logger.warn({ address }, "people.sign_in_locked");
    return { outcome: "locked", retryAfterSeconds };
  }
}

function onceMade<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make();
    return made;
  };
}
