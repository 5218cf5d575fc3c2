import type { Clock } from "../../kernel/clock.ts";
import { newId } from "../../kernel/ids.ts";
import { networkOf } from "../../kernel/networks.ts";
import type { Logger } from "../../telemetry/logger.ts";
import { attemptSubjects } from "./attempt-subjects.ts";
import { digestOfSecret, isApiTokenText, isSessionText, newApiTokenSecret, newSessionSecret } from "./bearer-secret.ts";
import { deviceKnownMs, failuresForgottenAfterMs, judgeAttempt } from "./lockout.ts";
import { describePasswordProblem, generatePassword, hashPassword, isPasswordOf } from "./password.ts";
import type { ApiToken, PeopleStore, User, UserChange } from "./ports.ts";
import { isRoleAtLeast, lesserRole, type UserRole } from "./role.ts";
import { normaliseUsername, usernamePattern } from "./username.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** A session ends after this time even if it is used. */
export const sessionLifeMs = 12 * hour;
/** A session that is not used ends after this time. */
const sessionIdleMs = 2 * hour;

/** The last use is written at most this often, because every request uses the session. */
const noteUseEveryMs = minute;

const sessionsMax = 20;
const tokensMax = 50;
const usersMax = 1_000;

export const tokenLifeDaysMax = 365;
const tokenLifeDaysDefault = 90;

export interface SignInAttempt {
  readonly username: string;
  readonly password: string;
  /** IP address of the client. */
  readonly address: string;
  /** The previous session of the browser. It ends. */
  readonly sessionToken: string | null;
}

export type SignInOutcome =
  | { readonly outcome: "signed-in"; readonly user: User; readonly sessionToken: string }
  /** An unknown name, a wrong password or a disabled user; the caller does not learn which. */
  | { readonly outcome: "failed" }
  | { readonly outcome: "locked"; readonly retryAfterSeconds: number };

export interface AddUser {
  readonly username: string;
  readonly displayName: string | null;
  readonly role: UserRole;
  /** Null generates one. */
  readonly password: string | null;
}

export type AddUserOutcome =
  | { readonly outcome: "added"; readonly user: User; readonly generatedPassword: string | null }
  | { readonly outcome: "username-taken" | "too-many-users" }
  | { readonly outcome: "password-refused"; readonly problem: string };

/** Absent members stay as they are. */
export interface EditUser extends Omit<UserChange, "passwordHash"> {
  readonly password?: string;
}

export type EditUserOutcome =
  | { readonly outcome: "changed"; readonly user: User }
  | { readonly outcome: "not-found" }
  | { readonly outcome: "password-refused"; readonly problem: string };

export interface AddToken {
  readonly name: string;
  /** Null for the owner's role. */
  readonly role: UserRole | null;
  /** Days, at most `tokenLifeDaysMax`; null for 90. */
  readonly lifeDays: number | null;
}

export type AddTokenOutcome =
  /** `secret` is the token itself. It is not stored. */
  | { readonly outcome: "added"; readonly token: ApiToken; readonly secret: string }
  | { readonly outcome: "role-too-high" | "too-many-tokens" };

/** Every method rejects with a retryable error while the database is down. */
export interface People {
  signIn(attempt: SignInAttempt): Promise<SignInOutcome>;
  /** Null if there is no such session or it has ended. */
  findBySession(sessionToken: string): Promise<User | null>;
  signOut(sessionToken: string): Promise<void>;
  /** Null if the token is unknown, expired or revoked. */
  findByToken(token: string): Promise<{ readonly user: User; readonly role: UserRole } | null>;

  listUsers(): Promise<readonly User[]>;
  /** @param by for the audit, here and below: `person:` and the user name. If not given, the program itself. */
  addUser(user: AddUser, by?: string): Promise<AddUserOutcome>;
  /** Disabling a user or changing the password ends all sessions of the user. */
  editUser(userId: string, change: EditUser, by?: string): Promise<EditUserOutcome>;

  /** Newest first. @param userId null for all users. */
  listTokens(userId: string | null): Promise<readonly ApiToken[]>;
  /** @param owner with the current role, which the token cannot exceed. */
  addToken(owner: { readonly userId: string; readonly role: UserRole }, token: AddToken): Promise<AddTokenOutcome>;
  /** @param userId the owner; null for any owner. @returns whether there is such a token. */
  revokeToken(tokenId: string, userId: string | null, by?: string): Promise<boolean>;

  /** Removes ended sessions and forgotten failures. @returns the number of rows. */
  sweep(): Promise<number>;
}

/** Log lines contain only the ids of users. */
export function createPeople(options: {
  readonly store: PeopleStore;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Replaced in tests, which sign in often. */
  readonly hash?: (password: string) => Promise<string>;
}): People {
  const { store, clock, logger, hash = hashPassword } = options;
  /** Compared with if there is no such user, so that the response takes the same time. */
  const decoyHash = onceMade(() => hash(generatePassword()));
  const useAt = () => {
    const at = clock.now();
    return {
      at,
      idleSince: new Date(at.getTime() - sessionIdleMs),
      noteUseBefore: new Date(at.getTime() - noteUseEveryMs),
    };
  };

  return {
    async signIn({ username: typed, password, address, sessionToken }) {
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
      if (stored === null || !matches || stored.user.disabled) {
        logger.warn({ userId: stored?.user.id ?? null, address }, "people.sign_in_failed");
        return { outcome: "failed" };
      }
      const secret = newSessionSecret();
      const user = await store.startSession({
        id: newId(clock),
        tokenDigest: secret.digest,
        userId: stored.user.id,
        passwordHash: stored.passwordHash,
        at,
        endsAt: new Date(at.getTime() + sessionLifeMs),
        replaces: sessionToken !== null && isSessionText(sessionToken) ? digestOfSecret(sessionToken) : null,
        sessionsMax,
        counted: { subjects, counts: verdict.counts },
      });
      if (user === null) return { outcome: "failed" };
      logger.info({ userId: user.id, address }, "people.signed_in");
      return { outcome: "signed-in", user, sessionToken: secret.text };
    },

    findBySession: async (sessionToken) =>
      isSessionText(sessionToken) ? store.useSession(digestOfSecret(sessionToken), useAt()) : null,

    signOut: async (sessionToken) => {
      if (isSessionText(sessionToken)) await store.endSession(digestOfSecret(sessionToken));
    },

    async findByToken(token) {
      if (!isApiTokenText(token)) return null;
      const found = await store.useToken(digestOfSecret(token), useAt());
      return found === null ? null : { user: found.user, role: lesserRole(found.role, found.user.role) };
    },

    listUsers: () => store.listUsers(),

    async addUser({ username: typed, displayName, role, password }, by) {
      const username = normaliseUsername(typed);
      const generatedPassword = password === null ? generatePassword() : null;
      const chosen = password ?? generatedPassword!;
      const problem = describePasswordProblem(chosen, username);
      if (problem !== null) return { outcome: "password-refused", problem };
      const user = await store.createUser(
        {
          id: newId(clock),
          username,
          displayName: displayName ?? username,
          role,
          passwordHash: await hash(chosen),
          isDemo: false,
          at: clock.now(),
        },
        usersMax,
        by,
      );
      if (typeof user === "string") return { outcome: user };
      return { outcome: "added", user, generatedPassword };
    },

    async editUser(userId, { password, ...change }, by) {
      let passwordHash: string | undefined;
      if (password !== undefined) {
        const user = await store.readUser(userId);
        if (user === null) return { outcome: "not-found" };
        const problem = describePasswordProblem(password, user.username);
        if (problem !== null) return { outcome: "password-refused", problem };
        passwordHash = await hash(password);
      }
      const user = await store.changeUser(
        userId,
        passwordHash === undefined ? change : { ...change, passwordHash },
        clock.now(),
        by,
      );
      return user === null ? { outcome: "not-found" } : { outcome: "changed", user };
    },

    listTokens: (userId) => store.listTokens(userId),

    async addToken(owner, { name, role, lifeDays }) {
      const wanted = role ?? owner.role;
      if (!isRoleAtLeast(owner.role, wanted)) return { outcome: "role-too-high" };
      const secret = newApiTokenSecret();
      const at = clock.now();
      const token = await store.createToken({
        id: newId(clock),
        tokenDigest: secret.digest,
        userId: owner.userId,
        name,
        role: wanted,
        at,
        expiresAt: new Date(at.getTime() + (lifeDays ?? tokenLifeDaysDefault) * day),
        tokensMax,
      });
      return token === null ? { outcome: "too-many-tokens" } : { outcome: "added", token, secret: secret.text };
    },

    revokeToken: (tokenId, userId, by) => store.revokeToken(tokenId, userId, clock.now(), by),

    async sweep() {
      const at = clock.now();
      const removed = await store.sweep({
        at,
        idleSince: new Date(at.getTime() - sessionIdleMs),
        countedBefore: new Date(at.getTime() - failuresForgottenAfterMs),
        succeededBefore: new Date(at.getTime() - deviceKnownMs),
      });
      logger.info({ removed }, "people.swept");
      return removed;
    },
  };
}

function onceMade<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make();
    return made;
  };
}
