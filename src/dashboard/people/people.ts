import type { Actor } from "../../kernel/actor.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { EncryptionKey } from "../../kernel/encryption-keys.ts";
import { newId } from "../../kernel/ids.ts";
import type { Logger } from "../../telemetry/logger.ts";
import { browserSubject } from "./attempt-subjects.ts";
import { digestOfSecret, isApiTokenText, isSessionText, newApiTokenSecret, newSessionSecret } from "./bearer-secret.ts";
import { createBrowserTokens } from "./browser-tokens.ts";
import { createPasswordCheck, type LockedOut } from "./check-password.ts";
import { deviceKnownMs, failuresForgottenAfterMs } from "./lockout.ts";
import { describePasswordProblem, generatePassword, hashPassword, isSamePassword } from "./password.ts";
import { createPasswordProofs } from "./password-proofs.ts";
import type {
  ApiToken,
  FactorUse,
  NewPassword,
  NewSession,
  PeopleStore,
  SessionOfUser,
  UsedToken,
  User,
  UserChange,
  VouchedUser,
} from "./ports.ts";
import { isRoleAtLeast, lesserRole, type UserRole } from "./role.ts";
import type { SecondFactors } from "./second-factors.ts";
import { normaliseUsername } from "./username.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** A session ends after this time even if it is used. */
export const sessionLifeMs = 12 * hour;
/** A session that is not used ends after this time. */
const sessionIdleMs = 2 * hour;

/** The last use is written at most this often, because every request uses the session. */
const noteUseEveryMs = minute;

/** The tokens of an account that its identity provider has not let in for so long do not work. */
const confirmationLifeMs = 30 * day;

/** Nobody takes longer from the secret of a second factor to its first code. */
const factorBegunMs = day;

const sessionsMax = 20;
const tokensMax = 50;
const usersMax = 1_000;

export const tokenLifeDaysMax = 365;
const tokenLifeDaysDefault = 90;

/** Where and with what somebody signs in. */
export interface SignInPlace {
  /** IP address of the client. */
  readonly address: string;
  /** As `describeUserAgent` has it. */
  readonly browser: string | null;
  /** The previous session of the browser. It ends. */
  readonly sessionToken: string | null;
  /** What the browser has kept of its last sign-in. */
  readonly browserToken: string | null;
}

/** For the browser to keep. */
export interface SignedIn {
  readonly outcome: "signed-in";
  readonly user: User;
  readonly sessionToken: string;
  /** Null without ENCRYPTION_KEYS. */
  readonly browserToken: string | null;
}

export interface SignInAttempt extends SignInPlace {
  readonly username: string;
  readonly password: string;
  /** The code of the second factor. */
  readonly code?: string | undefined;
}

export interface ProviderSignIn extends SignInPlace, VouchedUser {}

export type ProviderSignInOutcome = SignedIn | { readonly outcome: ProviderRefusal };

type ProviderRefusal = "no-role" | "no-source" | "disabled" | "username-taken" | "too-many-users";

export type SignInOutcome =
  | SignedIn
  /** An unknown name, a wrong password or a disabled user; the caller does not learn which. */
  | { readonly outcome: "failed" }
  | CodeOutcome;

/** The password is right, and the user has a second factor. */
type CodeOutcome = { readonly outcome: "code-needed" | "code-wrong" } | LockedOut;

export interface ConfirmPassword {
  readonly username: string;
  readonly password: string;
  readonly address: string;
  readonly browserToken: string | null;
}

export interface ChangeOwnPassword {
  readonly userId: string;
  readonly username: string;
  readonly currentPassword: string;
  readonly newPassword: string;
  /** Whether one's tokens end with the old password. */
  readonly revokeTokens: boolean;
  readonly address: string;
  readonly browserToken: string | null;
  /** The session in which it is asked for; it goes on, and all others end. */
  readonly sessionToken: string;
}

export type ChangeOwnPasswordOutcome =
  | { readonly outcome: "changed" | "current-password-wrong" }
  | { readonly outcome: "password-refused"; readonly problem: string }
  | LockedOut;

/** Not given: the user name, all sources, and a password that is made up. Either way they must change it at first. */
export interface AddUser extends Pick<User, "username" | "role">, Partial<Pick<User, "sources">> {
  readonly displayName?: string | undefined;
  readonly password?: string | undefined;
}

export type AddUserOutcome =
  | { readonly outcome: "added"; readonly user: User; readonly generatedPassword: string | null }
  | { readonly outcome: "username-taken" | "too-many-users" }
  | { readonly outcome: "password-refused"; readonly problem: string };

/** Absent members stay as they are. */
export interface EditUser extends Omit<UserChange, "password"> {
  readonly password?: string;
}

export type EditUserOutcome =
  | { readonly outcome: "changed"; readonly user: User }
  /** `provider-account`: its provider decides what was to be changed. */
  | { readonly outcome: "not-found" | "provider-account" | "identity-taken" }
  | { readonly outcome: "password-refused"; readonly problem: string };

export interface AddToken {
  readonly name: string;
  /** Null for the owner's role. */
  readonly role: UserRole | null;
  readonly readOnly: boolean;
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
  signInFromProvider(attempt: ProviderSignIn): Promise<ProviderSignInOutcome>;
  /** What limits of a browser count for; null if nobody has signed in with it. */
  browserIdOf(browserToken: string | null): string | null;
  /** Null if there is no such session or it has ended. */
  findBySession(sessionToken: string): Promise<User | null>;
  /** Unlike `findBySession`, does not put off the end of an idle session. */
  findOpenSession(sessionToken: string): Promise<User | null>;
  signOut(sessionToken: string): Promise<void>;
  /** Those that run, the last used first. */
  listSessions(userId: string, sessionToken: string): Promise<readonly SessionOfUser[]>;
  /** Ends one session of a user, or all but the one of `exceptToken`, or all. @returns how many have ended. */
  endSessions(
    sessions: { readonly userId: string; readonly sessionId?: string; readonly exceptToken?: string },
    by?: Actor,
  ): Promise<number>;
  /** Checks the password of who is signed in. Failures count like failed sign-ins. */
  confirmPassword(asked: ConfirmPassword): Promise<"right" | "wrong" | LockedOut>;
  /** Failures count like failed sign-ins. */
  changeOwnPassword(change: ChangeOwnPassword): Promise<ChangeOwnPasswordOutcome>;
  /** Null if the token is unknown, expired or revoked. */
  findByToken(token: string): Promise<UsedToken | null>;

  listUsers(): Promise<readonly User[]>;
  findUser(userId: string): Promise<User | null>;
  /** @param by for the audit, here and below. If not given, the program itself. */
  addUser(user: AddUser, by?: Actor): Promise<AddUserOutcome>;
  /** Disabling somebody, or giving them another password, which they must change then, ends all their sessions. */
  editUser(userId: string, change: EditUser, by?: Actor): Promise<EditUserOutcome>;

  /** Newest first. @param userId null for all users. */
  listTokens(userId: string | null): Promise<readonly ApiToken[]>;
  /** @param owner with the current role, which the token cannot exceed. */
  addToken(owner: { readonly userId: string; readonly role: UserRole }, token: AddToken): Promise<AddTokenOutcome>;
  /** @param userId the owner; null for any owner. @returns whether there is such a token. */
  revokeToken(tokenId: string, userId: string | null, by?: Actor): Promise<boolean>;

  /** Removes ended sessions, forgotten failures and second factors that nobody went on with. @returns the number of rows. */
  sweep(): Promise<number>;
}

/** Log lines contain only the ids of users. */
export function createPeople(options: {
  readonly store: PeopleStore;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Not given: who has one cannot sign in. */
  readonly secondFactors?: Pick<SecondFactors, "checkSignIn">;
  /** ENCRYPTION_KEYS; without them no browser is known, and every password costs its hash. */
  readonly encryptionKeys?: readonly EncryptionKey[];
  /** Whether an identity provider says who sees which sources: nobody here does then. */
  readonly providerGivesSources?: boolean;
  /** Replaced in tests, which sign in often. */
  readonly hash?: (password: string) => Promise<string>;
}): People {
  const { store, clock, logger, secondFactors, encryptionKeys = [] } = options;
  const { providerGivesSources = false, hash = hashPassword } = options;
  const proofs = createPasswordProofs(encryptionKeys);
  const browserTokens = createBrowserTokens(encryptionKeys);
  const checkPassword = createPasswordCheck({ store, clock, logger, proofs, hash });
  const protect = async (password: string): Promise<NewPassword> => {
    const hashed = await hash(password);
    return { hash: hashed, proof: proofs.make(hashed, password) };
  };
  const useAt = () => {
    const at = clock.now();
    return {
      at,
      idleSince: new Date(at.getTime() - sessionIdleMs),
      noteUseBefore: new Date(at.getTime() - noteUseEveryMs),
    };
  };

  function newSession({ address, browser, sessionToken }: SignInPlace): { secret: string; session: NewSession } {
    const at = clock.now();
    const { text: secret, digest: tokenDigest } = newSessionSecret();
    const session = {
      id: newId(clock),
      tokenDigest,
      at,
      endsAt: new Date(at.getTime() + sessionLifeMs),
      address,
      browser,
      replaces: sessionToken !== null && isSessionText(sessionToken) ? digestOfSecret(sessionToken) : null,
      sessionsMax,
    };
    return { secret, session };
  }

  /** Returns what the code uses up, null if the user has no second factor, or why they are not signed in. */
  async function checkFactor(
    { id: userId, hasSecondFactor }: User,
    code: string | undefined,
    address: string,
  ): Promise<FactorUse | null | CodeOutcome> {
    if (!hasSecondFactor) return null;
    if (code === undefined || secondFactors === undefined) return { outcome: "code-needed" };
    const use = await secondFactors.checkSignIn({ userId, address }, code);
    return use === "wrong" ? { outcome: "code-wrong" } : use;
  }

  return {
    async signIn({ username, password, code, ...place }) {
      const { address } = place;
      const browserId = browserTokens.idOf(place.browserToken);
      const check = await checkPassword(username, password, { address, browserId });
      if (check.outcome === "locked") return check;
      if (check.outcome === "wrong") {
        logger.warn({ userId: check.userId, address }, "people.sign_in_failed");
        return { outcome: "failed" };
      }
      const { stored, counted } = check;
      const factor = await checkFactor(stored.user, code, address);
      if (factor !== null && "outcome" in factor) {
        // The password is right, and codes have a count of their own.
        await store.takeBackAttempt(counted);
        return factor;
      }
      const { secret, session } = newSession(place);
      const browserToken = browserTokens.reuseOrMake(place.browserToken);
      const newBrowserId = browserId === null ? browserTokens.idOf(browserToken) : null;
      const user = await store.startSession({
        ...session,
        userId: stored.user.id,
        passwordHash: stored.passwordHash,
        passwordProof: proofs.make(stored.passwordHash, password),
        factor,
        counted,
        newDevice: newBrowserId === null ? null : browserSubject(stored.user.username, newBrowserId),
      });
      if (user === null) return { outcome: "failed" };
      if (user === "code-used") {
        logger.warn({ userId: stored.user.id, address }, "people.code_wrong");
        return { outcome: "code-wrong" };
      }
      logger.info({ userId: user.id, address }, "people.signed_in");
      return { outcome: "signed-in", user, sessionToken: secret, browserToken };
    },

    async signInFromProvider({ identity, username, displayName, role, sources, ...place }) {
      const { address } = place;
      const refuse = (outcome: ProviderRefusal, userId: string | null) => {
        logger.warn({ userId, address, ...identity, reason: outcome }, "people.provider_sign_in_refused");
        return { outcome };
      };
      if (role === null) return refuse("no-role", await store.refuseIdentity(identity));
      if (sources?.length === 0 && role !== "admin") return refuse("no-source", await store.refuseIdentity(identity));
      const { secret, session } = newSession(place);
      const userId = newId(clock);
      const started = await store.startProviderSession({
        ...session,
        identity,
        userId,
        username,
        displayName,
        role,
        sources,
        usersMax,
      });
      if (started.outcome !== "signed-in") {
        return refuse(started.outcome, "userId" in started ? started.userId : null);
      }
      const { user, before } = started;
      if (before === null) {
        logger.info({ userId: user.id, role, sources: user.sources, issuer: identity.issuer }, "people.user_added");
      } else {
        if (before.role !== role) {
          logger.info({ userId: user.id, roleBefore: before.role, role }, "people.role_from_provider");
        }
        if (String(before.sources) !== String(user.sources)) {
          const { sources: sourcesBefore } = before;
          logger.info({ userId: user.id, sourcesBefore, sources: user.sources }, "people.sources_from_provider");
        }
      }
      logger.info({ userId: user.id, address, issuer: identity.issuer }, "people.signed_in");
      const browserToken = browserTokens.reuseOrMake(place.browserToken);
      return { outcome: "signed-in", user, sessionToken: secret, browserToken };
    },

    browserIdOf: (browserToken) => browserTokens.idOf(browserToken),

    findBySession: async (sessionToken) =>
      isSessionText(sessionToken) ? store.useSession(digestOfSecret(sessionToken), useAt()) : null,

    findOpenSession: async (sessionToken) =>
      isSessionText(sessionToken)
        ? store.useSession(digestOfSecret(sessionToken), { ...useAt(), noteUseBefore: new Date(0) })
        : null,

    signOut: async (sessionToken) => {
      if (isSessionText(sessionToken)) await store.endSession(digestOfSecret(sessionToken));
    },

    listSessions: (userId, sessionToken) => store.listSessions(userId, digestOfSecret(sessionToken), useAt()),

    endSessions: ({ userId, sessionId = null, exceptToken }, by) =>
      store.endSessions(
        { userId, sessionId, except: exceptToken === undefined ? null : digestOfSecret(exceptToken) },
        by,
      ),

    async confirmPassword({ username, password, address, browserToken }) {
      const check = await checkPassword(username, password, { address, browserId: browserTokens.idOf(browserToken) });
      if (check.outcome === "locked") return check;
      if (check.outcome === "wrong") {
        logger.warn({ userId: check.userId, address }, "people.password_not_confirmed");
        return "wrong";
      }
      await store.takeBackAttempt(check.counted);
      return "right";
    },

    async changeOwnPassword({ userId, username, currentPassword, newPassword, revokeTokens, sessionToken, ...place }) {
      const { address, browserToken } = place;
      const problem = isSamePassword(newPassword, currentPassword)
        ? "must be another one than before"
        : describePasswordProblem(newPassword, username);
      if (problem !== null) return { outcome: "password-refused", problem };
      const browserId = browserTokens.idOf(browserToken);
      const check = await checkPassword(username, currentPassword, { address, browserId });
      if (check.outcome === "locked") return check;
      const changed =
        check.outcome === "right" &&
        (await store.changeOwnPassword({
          userId,
          password: await protect(newPassword),
          replaces: check.stored.passwordHash,
          at: clock.now(),
          revokeTokens,
          session: digestOfSecret(sessionToken),
          counted: check.counted,
        }));
      if (!changed) {
        logger.warn({ userId, address }, "people.password_change_failed");
        return { outcome: "current-password-wrong" };
      }
      logger.info({ userId, address, revokeTokens }, "people.password_changed");
      return { outcome: "changed" };
    },

    async findByToken(token) {
      if (!isApiTokenText(token)) return null;
      const use = useAt();
      const confirmedSince = new Date(use.at.getTime() - confirmationLifeMs);
      const found = await store.useToken(digestOfSecret(token), { ...use, confirmedSince });
      return found === null ? null : { ...found, role: lesserRole(found.role, found.user.role) };
    },

    listUsers: () => store.listUsers(),

    findUser: (userId) => store.readUser(userId),

    async addUser({ username: typed, displayName, role, sources = null, password }, by) {
      const username = normaliseUsername(typed);
      const generatedPassword = password === undefined ? generatePassword() : null;
      const chosen = password ?? generatedPassword!;
      const problem = describePasswordProblem(chosen, username);
      if (problem !== null) return { outcome: "password-refused", problem };
      const user = await store.createUser(
        {
          id: newId(clock),
          username,
          displayName: displayName ?? username,
          role,
          sources,
          password: await protect(chosen),
          passwordChangeNeeded: true,
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
      let changed: UserChange = change;
      const before = await store.readUser(userId);
      if (before === null) return { outcome: "not-found" };
      const { role, displayName } = change;
      const isOfProvider = before.issuer !== null || change.identity !== undefined;
      const isOfItsSources = providerGivesSources && change.sources !== undefined;
      if (isOfProvider && (isOfItsSources || (role ?? displayName ?? password) !== undefined)) {
        return { outcome: "provider-account" };
      }
      if (password !== undefined) {
        const problem = describePasswordProblem(password, before.username);
        if (problem !== null) return { outcome: "password-refused", problem };
        changed = { ...change, password: { ...(await protect(password)), changeNeeded: true } };
      }
      const user = await store.changeUser(userId, changed, clock.now(), by);
      if (user === "identity-taken") return { outcome: user };
      return user === null ? { outcome: "not-found" } : { outcome: "changed", user };
    },

    listTokens: (userId) => store.listTokens(userId),

    async addToken(owner, { name, role, readOnly, lifeDays }) {
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
        readOnly,
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
        factorsBegunBefore: new Date(at.getTime() - factorBegunMs),
      });
      logger.info({ removed }, "people.swept");
      return removed;
    },
  };
}
