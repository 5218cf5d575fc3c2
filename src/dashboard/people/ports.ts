import type { FailureCount } from "../../kernel/failure-count.ts";
import type { UserRole } from "./role.ts";

/** Somebody who may sign in. Holds no secret. */
export interface User {
  readonly id: string;
  /** Lower case; never changes, because decisions name people by it. */
  readonly username: string;
  readonly displayName: string;
  readonly role: UserRole;
  readonly disabled: boolean;
  /** Whether somebody else has set their password, and they have not changed it since. */
  readonly passwordChangeNeeded: boolean;
  readonly createdAt: Date;
  readonly lastSignInAt: Date | null;
}

export interface NewUser {
  readonly id: string;
  readonly username: string;
  readonly displayName: string;
  readonly role: UserRole;
  /** A hash of `hashSecret`. */
  readonly passwordHash: string;
  readonly passwordChangeNeeded: boolean;
  /** Whether demo mode made it, so that nothing but demo mode leaves it enabled. */
  readonly isDemo: boolean;
  readonly at: Date;
}

/** What is to be different; a member that is absent stays as it is. */
export interface UserChange {
  readonly displayName?: string;
  readonly role?: UserRole;
  readonly disabled?: boolean;
  readonly password?: { readonly hash: string; readonly changeNeeded: boolean };
  /** Revokes all of their tokens. */
  readonly revokeTokens?: boolean;
}

/** What a password is compared with. */
export interface StoredCredentials {
  readonly user: User;
  readonly passwordHash: string;
  /** Whether demo mode made the user. */
  readonly isDemo: boolean;
}

/** Digests of what failures are counted for. */
export interface AttemptSubjects {
  /** The user name at the network of the address. */
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

export type AttemptVerdict =
  /** It may be tried, and counts as failed until it has succeeded. */
  | { readonly outcome: "counted"; readonly counts: AttemptCounts<FailureCount> }
  | { readonly outcome: "locked"; readonly until: Date };

/** An attempt that `countAttempt` counted as failed, to be taken back when it has succeeded. */
export interface CountedAttempt {
  readonly subjects: AttemptSubjects;
  readonly counts: AttemptCounts<FailureCount>;
}

export interface NewSession {
  readonly id: string;
  readonly tokenDigest: Buffer;
  readonly userId: string;
  /** The hash that the password was compared with: when it is another one by now, no session starts. */
  readonly passwordHash: string;
  readonly at: Date;
  readonly endsAt: Date;
  readonly address: string;
  /** As `describeUserAgent` has it. */
  readonly browser: string | null;
  /** The session of the same browser until now, which ends. */
  readonly replaces: Buffer | null;
  /** Sessions that a user may have; the oldest ones end. */
  readonly sessionsMax: number;
  readonly counted: CountedAttempt;
}

/** A running session, as its user sees it. */
export interface SessionOfUser {
  readonly id: string;
  readonly startedAt: Date;
  readonly lastUsedAt: Date;
  /** When it ends however much it is used. */
  readonly endsAt: Date;
  /** Of the sign-in; null for a session that an older version has started. */
  readonly address: string | null;
  readonly browser: string | null;
  /** Whether it is the one that is asking. */
  readonly current: boolean;
}

/** Which sessions of a user are to end: one, or all, or all but one. */
export interface SessionsToEnd {
  readonly userId: string;
  readonly sessionId: string | null;
  readonly except: Buffer | null;
}

/** Somebody's own change of their password. */
export interface OwnPasswordChange {
  readonly userId: string;
  readonly passwordHash: string;
  /** The hash that the current password was compared with: when it is another one by now, nothing changes. */
  readonly replaces: string;
  readonly at: Date;
  readonly revokeTokens: boolean;
  /** The digest of the session that goes on. */
  readonly session: Buffer;
  readonly counted: CountedAttempt;
}

/** When a session or a token is still good, and when its use is worth writing down. */
export interface UseAt {
  readonly at: Date;
  /** A session that was not used since then has ended. */
  readonly idleSince: Date;
  /** A use before then is written again. */
  readonly noteUseBefore: Date;
}

/** A token of a person's programs. The token itself is known to nobody but its owner. */
export interface ApiToken {
  readonly id: string;
  readonly userId: string;
  readonly username: string;
  readonly name: string;
  /** The most that it may do; its owner's role may be less by now. */
  readonly role: UserRole;
  readonly readOnly: boolean;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

/** The owner of a token, and what it may do. */
export interface UsedToken {
  readonly user: User;
  readonly role: UserRole;
  readonly readOnly: boolean;
}

export interface NewApiToken {
  readonly id: string;
  readonly tokenDigest: Buffer;
  readonly userId: string;
  readonly name: string;
  readonly role: UserRole;
  readonly readOnly: boolean;
  readonly at: Date;
  readonly expiresAt: Date;
  /** Tokens neither expired nor revoked that a user may have. */
  readonly tokensMax: number;
}

/** What may be swept away: everything that ended, or was counted last, before these instants. */
export interface SweepLimits {
  readonly at: Date;
  readonly idleSince: Date;
  readonly countedBefore: Date;
  /** Devices that signed in since are remembered. */
  readonly succeededBefore: Date;
}

/**
 * Where people are kept. Each method is one transaction; all reject with a retryable error when the database is away.
 * `by` is who does it, `person:` and the user name, for the audit; not given: the program itself.
 */
export interface PeopleStore {
  /** @returns the user; or why not. */
  createUser(user: NewUser, usersMax: number, by?: string): Promise<User | "username-taken" | "too-many-users">;
  /** All of them, by user name. */
  listUsers(): Promise<readonly User[]>;
  readUser(userId: string): Promise<User | null>;
  /** Whether anybody can sign in. */
  hasUsers(): Promise<boolean>;
  /** Changes a user; when that disables them or changes their password, all their sessions end. Null when there is none. */
  changeUser(userId: string, change: UserChange, at: Date, by?: string): Promise<User | null>;
  /** Disables what demo mode made. @returns how many users were still enabled. */
  disableDemoUsers(at: Date): Promise<number>;
  findCredentials(username: string): Promise<StoredCredentials | null>;

  /** Shows the counts to `judge`, with nobody else counting meanwhile, and keeps what it counted. */
  countAttempt(
    subjects: AttemptSubjects,
    judge: (counts: AttemptCounts, deviceSucceededAt: Date | null) => AttemptVerdict,
    at: Date,
  ): Promise<AttemptVerdict>;
  /** Starts a session and forgets the failures of its user name. Null when the user may not sign in any more. */
  startSession(session: NewSession): Promise<User | null>;
  /** The enabled user of a running session, and notes the use. */
  useSession(tokenDigest: Buffer, use: UseAt): Promise<User | null>;
  endSession(tokenDigest: Buffer): Promise<void>;
  /** Those that run, the last used first. @param current the digest of the session that is asking */
  listSessions(userId: string, current: Buffer, use: Omit<UseAt, "noteUseBefore">): Promise<readonly SessionOfUser[]>;
  /** @returns how many have ended. */
  endSessions(sessions: SessionsToEnd, by?: string): Promise<number>;
  /** Changes the password, ends the other sessions and forgets the failures. @returns whether it was changed. */
  changeOwnPassword(change: OwnPasswordChange): Promise<boolean>;

  /** Null when the user has too many already. */
  createToken(token: NewApiToken): Promise<ApiToken | null>;
  /** Newest first, at most 200, expired ones included, and revoked ones where there is room. @param userId null for those of everybody. */
  listTokens(userId: string | null): Promise<readonly ApiToken[]>;
  /** A usable token of an enabled user, and notes the use. */
  useToken(tokenDigest: Buffer, use: Omit<UseAt, "idleSince">): Promise<UsedToken | null>;
  /** @param userId whose token it must be; null for anybody's. @returns whether there is such a token. */
  revokeToken(tokenId: string, userId: string | null, at: Date, by?: string): Promise<boolean>;

  /** @returns how many rows were removed. */
  sweep(limits: SweepLimits): Promise<number>;
}
