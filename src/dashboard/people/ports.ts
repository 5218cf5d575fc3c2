import type { FailureCount } from "../../kernel/failure-count.ts";
import type { UserRole } from "./role.ts";

/** Contains no secret. */
export interface User {
  readonly id: string;
  /** Lower case. It never changes, because decisions refer to it. */
  readonly username: string;
  readonly displayName: string;
  readonly role: UserRole;
  readonly disabled: boolean;
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
  /** Whether demo mode created the user. Any other mode disables such users. */
  readonly isDemo: boolean;
  readonly at: Date;
}

/** Absent members stay as they are. */
export interface UserChange {
  readonly displayName?: string;
  readonly role?: UserRole;
  readonly disabled?: boolean;
  readonly passwordHash?: string;
}

export interface StoredCredentials {
  readonly user: User;
  readonly passwordHash: string;
  readonly isDemo: boolean;
}

/** Digests: see `attempt-subjects.ts`. */
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
  /** The attempt is allowed. It counts as failed until it has succeeded. */
  | { readonly outcome: "counted"; readonly counts: AttemptCounts<FailureCount> }
  | { readonly outcome: "locked"; readonly until: Date };

export interface NewSession {
  readonly id: string;
  readonly tokenDigest: Buffer;
  readonly userId: string;
  /** The hash that the password was compared with. If it has changed meanwhile, no session starts. */
  readonly passwordHash: string;
  readonly at: Date;
  readonly endsAt: Date;
  /** The previous session of the browser. It ends. */
  readonly replaces: Buffer | null;
  /** If the user has more, the oldest ones end. */
  readonly sessionsMax: number;
  /** What `countAttempt` counted as failed. It is taken back. */
  readonly counted: { readonly subjects: AttemptSubjects; readonly counts: AttemptCounts<FailureCount> };
}

export interface UseAt {
  readonly at: Date;
  /** A session not used since then has ended. */
  readonly idleSince: Date;
  /** The time of the last use is written only if it is before then. */
  readonly noteUseBefore: Date;
}

/** Without the token itself, which only its owner knows. */
export interface ApiToken {
  readonly id: string;
  readonly userId: string;
  readonly username: string;
  readonly name: string;
  /** The owner's present role may be less, and then counts. */
  readonly role: UserRole;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

export interface NewApiToken {
  readonly id: string;
  readonly tokenDigest: Buffer;
  readonly userId: string;
  readonly name: string;
  readonly role: UserRole;
  readonly at: Date;
  readonly expiresAt: Date;
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
}

/**
 * Each method is one transaction and rejects with a retryable error while the database is down. `by` is for the audit:
 * `person:` and the user name; if not given, the program itself.
 */
export interface PeopleStore {
  createUser(user: NewUser, usersMax: number, by?: string): Promise<User | "username-taken" | "too-many-users">;
  /** Sorted by user name. */
  listUsers(): Promise<readonly User[]>;
  readUser(userId: string): Promise<User | null>;
  hasUsers(): Promise<boolean>;
  /** Ends all sessions of the user if it disables them or changes the password. Null if there is no such user. */
  changeUser(userId: string, change: UserChange, at: Date, by?: string): Promise<User | null>;
  /** @returns how many users were still enabled. */
  disableDemoUsers(at: Date): Promise<number>;
  findCredentials(username: string): Promise<StoredCredentials | null>;

  /** Locks the counts, passes them to `judge` and stores its result. */
  countAttempt(
    subjects: AttemptSubjects,
    judge: (counts: AttemptCounts, deviceSucceededAt: Date | null) => AttemptVerdict,
    at: Date,
  ): Promise<AttemptVerdict>;
  /** Also forgets the failures of the user name. Null if the user may no longer sign in. */
  startSession(session: NewSession): Promise<User | null>;
  /** Also records the use. Null unless the session runs and its user is enabled. */
  useSession(tokenDigest: Buffer, use: UseAt): Promise<User | null>;
  endSession(tokenDigest: Buffer): Promise<void>;

  /** Null if the user has too many already. */
  createToken(token: NewApiToken): Promise<ApiToken | null>;
  /** Newest first, at most 200; revoked ones only if there is room. @param userId null for all users. */
  listTokens(userId: string | null): Promise<readonly ApiToken[]>;
  /** Also records the use. Null unless the token is usable and its user is enabled. */
  useToken(tokenDigest: Buffer, use: Omit<UseAt, "idleSince">): Promise<{ user: User; role: UserRole } | null>;
  /** @param userId the owner; null for any owner. @returns whether there is such a token. */
  revokeToken(tokenId: string, userId: string | null, at: Date, by?: string): Promise<boolean>;

  /** @returns the number of rows removed. */
  sweep(limits: SweepLimits): Promise<number>;
}
