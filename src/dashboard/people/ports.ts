import { z } from "zod";
import type { VisibleSources } from "../../cases/visible-sources.ts";
import type { Actor } from "../../kernel/actor.ts";
import type { FailureCount } from "../../kernel/failure-count.ts";
import { id, instant, type Stored } from "../../kernel/stored.ts";
import { type UserRole, userRoleNames } from "./role.ts";

const role = z.enum(userRoleNames).meta({ id: "UserRole", description: "Each may do what the ones before it may." });

/** Contains no secret. The user name is in lower case and never changes, because decisions refer to it. */
export const user = z
  .strictObject({
    id,
    username: z.string(),
    displayName: z.string(),
    role,
    sources: z.array(z.string()).nullable().meta({
      description:
        "The sources whose orders they see; null: all. None: an admin must give some to this account of an identity provider.",
    }),
    disabled: z.boolean(),
    passwordChangeNeeded: z.boolean().meta({
      description: "Whether somebody else has set their password, and they have not changed it since.",
    }),
    hasSecondFactor: z.boolean().meta({ description: "Whether their sign-in takes a code of an app." }),
    secondFactorNeeded: z.boolean().meta({ description: "Whether their role must have one, and they have none yet." }),
    issuer: z.string().nullable().meta({
      description: "The identity provider that the account comes from; null for a local account, which has a password.",
    }),
    subject: z.string().nullable().meta({ description: "Names the account at the identity provider." }),
    createdAt: instant,
    lastSignInAt: instant.nullable(),
  })
  .meta({ id: "User" });

export type User = Stored<typeof user>;

export interface NewPassword {
  /** The result of `hashSecret`. */
  readonly hash: string;
  /** See `password-proofs.ts`. */
  readonly proof: Buffer | null;
}

export interface NewUser
  extends Pick<User, "id" | "username" | "displayName" | "role" | "sources" | "passwordChangeNeeded"> {
  readonly password: NewPassword;
  /** Whether demo mode created the user. Any other mode disables such users. */
  readonly isDemo: boolean;
  readonly at: Date;
}

/** Absent members stay as they are. Admins see all sources, whatever this says. */
export interface UserChange extends Partial<Pick<User, "displayName" | "role" | "sources" | "disabled">> {
  readonly password?: NewPassword & { readonly changeNeeded: boolean };
  /** Revokes all of their tokens. */
  readonly revokeTokens?: boolean;
  /** Makes the account one of the identity provider: its password is gone. */
  readonly identity?: ProviderIdentity;
}

/** What never changes about an account of an identity provider, unlike names and e-mail addresses. */
export interface ProviderIdentity {
  readonly issuer: string;
  readonly subject: string;
}

/** Somebody for whom an identity provider vouches. */
export interface VouchedUser extends Pick<User, "username" | "displayName"> {
  readonly identity: ProviderIdentity;
  /** The highest that its groups give; null if they give none. */
  readonly role: UserRole | null;
  /** Those that its groups give, maybe none; not given if groups say nothing of sources. */
  readonly sources: VisibleSources | undefined;
}

export interface StoredCredentials {
  readonly user: User;
  /** Null for an account of an identity provider. */
  readonly passwordHash: string | null;
  readonly passwordProof: Buffer | null;
  readonly isDemo: boolean;
}

/** Digests: see `attempt-subjects.ts`. */
export interface AttemptSubjects {
  /** The user name in a browser that is known, or else at the network of the address. */
  readonly device: Buffer;
  readonly username: Buffer;
  readonly address: Buffer;
}

/** Null where nothing is counted yet. */
export interface AttemptCounts<Count = FailureCount | null> {
  readonly device: Count;
  readonly username: Count;
  readonly address: Count;
}

/** What is stored about an attempt before its password is looked at. */
export interface AttemptState {
  /** Null if there is no such user. */
  readonly stored: StoredCredentials | null;
  readonly counts: AttemptCounts;
  /** When the name last signed in there. */
  readonly deviceSucceededAt: Date | null;
}

export type AttemptVerdict =
  /** The attempt is allowed. It counts as failed until it has succeeded. */
  | { readonly outcome: "counted"; readonly counts: AttemptCounts<FailureCount> }
  | { readonly outcome: "locked"; readonly until: Date };

/** As `AttemptVerdict`, of a code of a second factor. */
export type CodeVerdict =
  | { readonly outcome: "counted"; readonly count: FailureCount }
  | { readonly outcome: "locked"; readonly until: Date };

/** An attempt that `countAttempt` counted as failed, to be taken back when it has succeeded. */
export interface CountedAttempt {
  readonly subjects: AttemptSubjects;
  readonly counts: AttemptCounts<FailureCount>;
}

export interface NewSession extends Pick<SessionOfUser, "id" | "endsAt" | "browser"> {
  readonly tokenDigest: Buffer;
  readonly at: Date;
  readonly address: string;
  /** The previous session of the browser. It ends. */
  readonly replaces: Buffer | null;
  /** If the user has more, the oldest ones end. */
  readonly sessionsMax: number;
}

export interface PasswordSession extends NewSession {
  readonly userId: string;
  /** The hash that the password was compared with. If it has changed meanwhile, no session starts. */
  readonly passwordHash: string;
  readonly passwordProof: Buffer | null;
  /** Null if the user has no second factor. */
  readonly factor: FactorUse | null;
  readonly counted: CountedAttempt;
  /** The subject of a browser that is known from now on; null if it was before. */
  readonly newDevice: Buffer | null;
}

/**
 * A session of somebody for whom an identity provider has vouched. The user name counts at the first sign-in only. Sources
 * that are not given stay, and a new account sees none if any account is limited.
 */
export interface ProviderSession extends NewSession, VouchedUser {
  /** The id that the account gets, if this is the first sign-in. */
  readonly userId: string;
  readonly role: UserRole;
  readonly usersMax: number;
}

export type ProviderSessionOutcome =
  | {
      readonly outcome: "signed-in";
      readonly user: User;
      /** The account until now; null if it is new. */
      readonly before: User | null;
    }
  | { readonly outcome: "disabled"; readonly userId: string }
  | { readonly outcome: "username-taken" | "too-many-users" };

/** A running session, as its user sees it. */
export const sessionOfUser = z
  .strictObject({
    id,
    startedAt: instant,
    lastUsedAt: instant.meta({ description: "To the minute." }),
    endsAt: instant.meta({ description: "When it ends however much it is used." }),
    address: z.string().nullable().meta({ description: "From where it was started; null if that was not stored yet." }),
    browser: z.string().nullable().meta({ description: "`Firefox on Windows`; null if it is not known." }),
    current: z.boolean().meta({ description: "Whether it is the one that is asking." }),
  })
  .meta({ id: "SessionOfUser" });

export type SessionOfUser = Stored<typeof sessionOfUser>;

/** Which sessions of a user are to end: one, or all, or all but one. */
export interface SessionsToEnd {
  readonly userId: string;
  readonly sessionId: string | null;
  readonly except: Buffer | null;
}

/** Somebody's own change of their password. */
export interface OwnPasswordChange {
  readonly userId: string;
  readonly password: NewPassword;
  /** The hash that the current password was compared with: when it is another one by now, nothing changes. */
  readonly replaces: string;
  readonly at: Date;
  readonly revokeTokens: boolean;
  /** The digest of the session that goes on. */
  readonly session: Buffer;
  readonly counted: CountedAttempt;
}

export interface UseAt {
  readonly at: Date;
  /** A session not used since then has ended. */
  readonly idleSince: Date;
  /** The time of the last use is written only if it is before then. */
  readonly noteUseBefore: Date;
}

/** Without the token itself, which only its owner knows. The owner's present role may be less than its own, and then counts. */
export const apiToken = z
  .strictObject({
    id,
    userId: id,
    username: z.string(),
    name: z.string(),
    role,
    readOnly: z.boolean(),
    createdAt: instant,
    expiresAt: instant,
    lastUsedAt: instant.nullable(),
    revokedAt: instant.nullable(),
  })
  .meta({ id: "ApiToken" });

export type ApiToken = Stored<typeof apiToken>;

/** The owner of a token, and what it may do. */
export interface UsedToken {
  readonly user: User;
  readonly role: UserRole;
  readonly readOnly: boolean;
  readonly tokenId: string;
}

export interface NewApiToken extends Pick<ApiToken, "id" | "userId" | "name" | "role" | "readOnly" | "expiresAt"> {
  readonly tokenDigest: Buffer;
  readonly at: Date;
  /** Counts tokens neither expired nor revoked. */
  readonly tokensMax: number;
}

/** Everything that ended or was last counted before these instants is removed. */
export interface SweepLimits {
  readonly at: Date;
  readonly idleSince: Date;
  readonly countedBefore: Date;
  /** Devices that signed in since are remembered. */
  readonly succeededBefore: Date;
  /** Second factors that were begun and not proven. */
  readonly factorsBegunBefore: Date;
}

/**
 * Each method is one transaction and rejects with a retryable error while the database is down. `by` is for the audit:
 * who acts, and with which API token; if not given, the program itself.
 */
export interface PeopleStore {
  createUser(user: NewUser, usersMax: number, by?: Actor): Promise<User | "username-taken" | "too-many-users">;
  /** Sorted by user name. */
  listUsers(): Promise<readonly User[]>;
  readUser(userId: string): Promise<User | null>;
  hasUsers(): Promise<boolean>;
  /** Whether a demo has run on this database, whose orders are then among the cases. */
  hasDemoUsers(): Promise<boolean>;
  /**
   * Ends all sessions of the user if it disables them, changes the password or links them to an identity provider. Null
   * if there is no such user.
   */
  changeUser(userId: string, change: UserChange, at: Date, by?: Actor): Promise<User | "identity-taken" | null>;
  /** @returns how many users were still enabled. */
  disableDemoUsers(at: Date): Promise<number>;
  findCredentials(username: string): Promise<StoredCredentials | null>;

  /** @param username null if nobody can have the name that was typed */
  readAttempt(username: string | null, subjects: AttemptSubjects): Promise<AttemptState>;
  /** Locks the counts, passes them to `judge` and stores its result. */
  countAttempt(
    subjects: AttemptSubjects,
    judge: (counts: AttemptCounts, deviceSucceededAt: Date | null) => AttemptVerdict,
    at: Date,
  ): Promise<AttemptVerdict>;
  /** Takes back the count of an attempt that was neither right nor wrong. */
  takeBackAttempt(counted: CountedAttempt): Promise<void>;
  /** Also forgets the failures of the user name. Null if the user may no longer sign in. */
  startSession(session: PasswordSession): Promise<User | "code-used" | null>;
  /** Creates the account at the first sign-in; later ones give it the provider's role and name. */
  startProviderSession(session: ProviderSession): Promise<ProviderSessionOutcome>;
  /** Ends the sessions of an account that its provider lets in no more. @returns its id; null if there is none. */
  refuseIdentity(identity: ProviderIdentity): Promise<string | null>;
  /** Also records the use. Null unless the session runs and its user is enabled. */
  useSession(tokenDigest: Buffer, use: UseAt): Promise<User | null>;
  endSession(tokenDigest: Buffer): Promise<void>;
  /** Those that run, the last used first. @param current the digest of the session that is asking */
  listSessions(userId: string, current: Buffer, use: Omit<UseAt, "noteUseBefore">): Promise<readonly SessionOfUser[]>;
  /** @returns how many have ended. */
  endSessions(sessions: SessionsToEnd, by?: Actor): Promise<number>;
  /** Changes the password, ends the other sessions and forgets the failures. @returns whether it was changed. */
  changeOwnPassword(change: OwnPasswordChange): Promise<boolean>;

  /** Null if the user has too many already. */
  createToken(token: NewApiToken): Promise<ApiToken | null>;
  /** Newest first, at most 200; revoked ones only if there is room. @param userId null for all users. */
  listTokens(userId: string | null): Promise<readonly ApiToken[]>;
  /**
   * Also records the use. Null unless the token is usable and its user is enabled.
   * @param confirmedSince an account whose provider has not let it in since then can use no token
   */
  useToken(
    tokenDigest: Buffer,
    use: Omit<UseAt, "idleSince"> & { readonly confirmedSince: Date },
  ): Promise<UsedToken | null>;
  /** @param userId the owner; null for any owner. @returns whether there is such a token. */
  revokeToken(tokenId: string, userId: string | null, at: Date, by?: Actor): Promise<boolean>;

  /** @returns the number of rows removed. */
  sweep(limits: SweepLimits): Promise<number>;
}

/** What a sign-in uses up: a time step of the app, or one of the recovery codes. */
export type FactorUse =
  | { readonly kind: "totp"; readonly step: number }
  | { readonly kind: "recovery"; readonly digest: Buffer };

export interface StoredFactor {
  readonly secret: string;
  /** Tells it from one that was begun in its place. */
  readonly begunAt: Date;
  readonly isProven: boolean;
  readonly lastStep: number | null;
}

/** Each method is one transaction and rejects with a retryable error while the database is down. */
export interface SecondFactorStore {
  readFactor(userId: string): Promise<StoredFactor | null>;
  /** Replaces a factor that was begun and not proven. Returns false if there is a proven one. */
  beginFactor(userId: string, secret: string, at: Date): Promise<boolean>;
  /** Ends the user's other sessions. Returns false if no factor was begun, or it was proven meanwhile. */
  proveFactor(proof: {
    readonly userId: string;
    readonly begunAt: Date;
    readonly step: number;
    readonly recoveryCodes: readonly Buffer[];
    readonly session: Buffer;
    readonly at: Date;
  }): Promise<boolean>;
  /** Locks the count of a subject, passes it to `judge` and stores its result. */
  countCode(subject: Buffer, judge: (count: FailureCount | null) => CodeVerdict, at: Date): Promise<CodeVerdict>;
  /** Takes back the count of a code that was right. */
  takeBackCode(subject: Buffer, count: FailureCount): Promise<void>;
  /** Returns false if the code was used meanwhile. */
  replaceRecoveryCodes(userId: string, use: FactorUse, recoveryCodes: readonly Buffer[]): Promise<boolean>;
  /**
   * Changes nothing and returns false if the user has no factor, or the code was used meanwhile. Without `use` the user's
   * sessions end.
   */
  removeFactor(userId: string, use: FactorUse | null, by?: Actor): Promise<boolean>;
  /** Lists the roles whose users must have a second factor. */
  listFactorRoles(): Promise<readonly UserRole[]>;
  setFactorRoles(roles: readonly UserRole[], at: Date, by?: Actor): Promise<void>;
}
