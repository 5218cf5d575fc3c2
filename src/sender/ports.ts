import type { Actor } from "../kernel/actor.ts";
import type { Secret } from "../kernel/secret.ts";
import type { Tx } from "../kernel/tx.ts";

/** Interface document, "Authentication": one type per endpoint. */
export type RecipientAuthorization =
  /** For events, which are always signed. */
  | { readonly type: "none" }
  | { readonly type: "basic"; readonly username: string; readonly password: Secret }
  | { readonly type: "bearer"; readonly token: Secret }
  | OAuthAuthorization;

/** RFC 6749 section 2.3.1 and RFC 7523 section 2.2. */
export const clientAuthentications = ["basic", "post", "private-key-jwt"] as const;
export type ClientAuthentication = (typeof clientAuthentications)[number];

/** RFC 6749 section 4.4. */
export interface OAuthAuthorization {
  readonly type: "oauth";
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: Secret;
  readonly clientAuthentication: ClientAuthentication;
  /** Null if the token endpoint needs none. */
  readonly keyId: string | null;
  /** Separated by spaces; null leaves them to the token endpoint. */
  readonly scope: string | null;
  /** Null if the token endpoint needs none. */
  readonly audience: string | null;
}

/** Mutual TLS, RFC 8446 section 4.4.2. */
export interface ClientCertificate {
  readonly certificate: string;
  /** PEM, unencrypted. */
  readonly privateKey: Secret;
  /** Authorities (PEM) for the recipient's certificate; null means the public ones. */
  readonly authorities: string | null;
  readonly expiresAt: Date;
}

/** One order at one recipient; its deliveries are sent one after the other. */
export interface Lane {
  readonly recipientId: string;
  readonly orderId: string;
}

/** Only the newest lease of a lane may change it. */
export interface LaneLease extends Lane {
  readonly fence: number;
}

export interface Announcement {
  readonly orderId: string;
  readonly airline: string;
  /** It goes to the recipients of this agency, and to those of none. Null or absent: to those of all agencies. */
  readonly agencyId?: string | null;
  /** Each change is announced once. */
  readonly changeId: string;
  readonly body: Uint8Array;
  /** Names it in the place of change and order: announced again with the same body, it adds nothing. */
  readonly idempotencyKey?: string;
  /** For the trace of its deliveries; absent without tracing. */
  readonly traceparent?: string | null;
}

/** An attempt whose start is committed. */
export interface BegunAttempt {
  readonly attemptId: string;
  readonly lease: LaneLease;
  readonly number: number;
  readonly startedAt: Date;
  readonly delivery: {
    readonly id: string;
    readonly failures: number;
    /** The start of the retry schedule; for a first attempt, its own start. */
    readonly firstTriedAt: Date;
  };
  readonly url: string;
  readonly rules: Pick<DeliveryRules, "acknowledgement" | "deadlineMs">;
  /** Concurrent requests to this recipient while it is healthy. Further attempts wait. */
  readonly slotsMax: number;
  readonly message: ReadableMessage | UnreadableMessage;
  /** Of the announcement; null if there is none. */
  readonly traceparent: string | null;
}

export interface ReadableMessage {
  readonly kind: "readable";
  readonly authorization: RecipientAuthorization;
  readonly signingSecrets: readonly Secret[];
  readonly clientCertificate: ClientCertificate | null;
  readonly body: Uint8Array;
}

/** Counts as a failed attempt: the key may be added later. */
export interface UnreadableMessage {
  readonly kind: "unreadable";
  readonly reason: Reason & { readonly code: "sender.credential_unreadable" | "sender.body_unreadable" };
}

/** delivered: acknowledged. refused: any other response. failed: no complete response. */
export type AttemptOutcome = "delivered" | "refused" | "failed";

/** In milliseconds. */
export interface ExchangeTimings {
  /** Null without a new connection. */
  readonly lookupMs: number | null;
  readonly connectMs: number | null;
  readonly tlsMs: number | null;
  /** From the start of the exchange; null without a response. */
  readonly firstByteMs: number | null;
}

export interface AttemptResult {
  readonly outcome: AttemptOutcome;
  readonly httpStatus: number | null;
  /** Stable; null if delivered. */
  readonly errorCode: string | null;
  /** The start of the response as text, without our credentials. */
  readonly answerExcerpt: string | null;
  readonly errorMessage: string | null;
  readonly durationMs: number;
  readonly timings: ExchangeTimings | null;
}

export interface Reason {
  readonly code: string;
  readonly message: string;
}

export type AfterFailedAttempt =
  | { readonly kind: "retry"; readonly dueAt: Date }
  /** The schedule is used up: the delivery becomes a dead letter, and the lane goes on. */
  | { readonly kind: "dead"; readonly reason: Reason }
  /** Its deliveries stay pending until a person resumes it. */
  | { readonly kind: "disable-recipient"; readonly reason: Reason }
  /** Interrupted by us, or an access token was refused: due at once, no failure counted. */
  | { readonly kind: "again" };

/** Since the last acknowledgement, over all lanes. */
export interface RecipientHealth {
  /** Including this one. */
  readonly failedInRow: number;
  readonly failingSince: Date;
  readonly notices: number;
}

/** Nothing is sent to the recipient meanwhile; waiting uses up no attempts. */
export interface RecipientHold {
  readonly until: Date;
  /** throttled: it sent Retry-After. failing: it fails repeatedly, and one delivery will probe it. */
  readonly because: "throttled" | "failing";
}

export type HealthChange =
  /** `judge` decides whether to hold or disable the recipient. */
  | { readonly kind: "failed"; readonly judge: (health: RecipientHealth) => HealthVerdict }
  | { readonly kind: "unchanged" };

export type HealthVerdict =
  | { readonly kind: "goes-on"; readonly notices: number }
  | { readonly kind: "hold"; readonly hold: RecipientHold; readonly notices: number }
  | { readonly kind: "disable"; readonly reason: Reason };

export interface DeliveryStore extends LaneStore {
  /**
   * Stores a pending delivery for each recipient, in the caller's transaction. If it was announced before, stores
   * nothing.
   */
  addAnnouncement(tx: Tx, announcement: Announcement): Promise<AddedAnnouncement>;
}

export interface AddedAnnouncement {
  /** `conflict`: another body was announced before. */
  readonly outcome: "added" | "repeated" | "conflict";
  /** When it was announced first. */
  readonly changeId: string;
  readonly deliveries: readonly AddedDelivery[];
}

export interface AddedDelivery {
  readonly deliveryId: string;
  readonly recipientId: string;
}

export interface LaneStore {
  /**
   * Records acknowledged attempts, even if the lease is lost. Those of locked lanes are missing from the result; pass
   * them again. Then claims due lanes of active recipients that are not on hold, fair between recipients, and starts an
   * attempt of the first delivery of each. Each half commits and may fail alone.
   */
  recordAndClaim(delivered: readonly DeliveredAttempt[], bounds: ClaimBounds): Promise<RecordedAndClaimed>;

  /**
   * Returns false if the lease is lost: then stores the result, but does not take the next step. With ordering
   * `latest`, a delivery is superseded instead of retried if a newer one waits.
   */
  finishAttempt(
    attempt: BegunAttempt,
    result: AttemptResult,
    next: AfterFailedAttempt,
    health: HealthChange,
  ): Promise<boolean>;

  readTarget(recipientId: string): Promise<RecipientTarget | null>;
}

/** Leased lanes per concurrent request, for recipients that are claimed ahead. */
export const lanesAhead = 3;

export interface ClaimBounds {
  /** Attempts; 0 claims nothing. */
  readonly limit: number;
  /** Of deliveries that have failed before. */
  readonly retriesMax: number;
  /** Concurrent lanes per recipient over all processes, unless it has its own limit. */
  readonly perRecipient: number;
  /** Recipients to claim ahead, if they are healthy and no other process has a lane of theirs. */
  readonly aheadFor: readonly string[];
  /** From this many failures in a row, a recipient gets one lane at a time. */
  readonly failuresUntilHold: number;
  readonly holder: string;
  /** Added to the recipient's own deadline, if it has one. */
  readonly leaseMs: number;
}

export interface RecordedAndClaimed {
  readonly recorded: readonly RecordedAttempt[];
  readonly attempts: readonly BegunAttempt[];
  /** Whether to claim again at once: another process was faster, or a lane was repaired. */
  readonly isIncomplete: boolean;
  /** The error of one half, to throw once the other is handled; null if none. */
  readonly failure: Error | null;
}

export interface DeliveredAttempt {
  readonly attempt: BegunAttempt;
  readonly result: AttemptResult;
}

export interface RecordedAttempt {
  readonly attemptId: string;
  readonly leaseHeld: boolean;
}

export interface RecipientTarget {
  readonly url: string;
  readonly rules: BegunAttempt["rules"];
  readonly message: Omit<ReadableMessage, "body"> | UnreadableMessage;
}

export interface TestResult extends AttemptResult {
  readonly webhookId: string;
}

/** `latest`: a newer notification supersedes undelivered ones. */
export type RecipientOrdering = "latest" | "every";

export type RecipientState = "active" | "paused" | "disabled" | "removed";

export interface DeliveryKind {
  readonly input: object;
  readonly shown: object;
  readonly found: object;
}

export interface NotificationKind {
  readonly input: {
    /** Codes of airlines; null means all. */
    readonly airlines: readonly string[] | null;
  };
  readonly shown: { readonly airline: string; readonly changeId: string };
  readonly found: { readonly airline?: string };
}

export type RecipientView<T extends DeliveryKind = NotificationKind> = AnyRecipientView & T["input"];

export interface AnyRecipientView extends DeliveryRules {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly authorization: { readonly type: RecipientAuthorization["type"] };
  /** How many. */
  readonly signingSecrets: number;
  readonly clientCertificate: { readonly expiresAt: Date } | null;
  readonly state: RecipientState;
  readonly stateReason: Reason | null;
  /** Of deliveries that wait for a retry; null if none does. */
  readonly trouble: (Reason & { readonly at: Date }) | null;
  readonly stateChangedAt: Date;
  /** Null while it acknowledges. */
  readonly failing: { readonly since: Date; readonly failedInRow: number } | null;
  readonly hold: RecipientHold | null;
  readonly pendingDeliveries: number;
  readonly createdAt: Date;
}

export const recipientLanesMax = 64;

export interface DeliveryRules {
  readonly ordering: RecipientOrdering;
  /** `required`: only an AcknowledgeResponse with Status OK counts. `any-success`: any 2xx does. */
  readonly acknowledgement: "required" | "any-success";
  /** 1,000 to 60,000 for a whole attempt; null means the default. */
  readonly deadlineMs: number | null;
  /** Concurrent orders, 1 to `recipientLanesMax`; null means the default. */
  readonly lanesMax: number | null;
  /** Deliveries per second over all processes, 1 to 1,000; null for no limit. */
  readonly ratePerSecond: number | null;
  /** The operator's name of its agency; null if it belongs to none. */
  readonly agencyId: string | null;
}

export type NewRecipient<T extends DeliveryKind = NotificationKind> = AnyNewRecipient & T["input"];

export interface AnyNewRecipient extends DeliveryRules {
  readonly name: string;
  readonly url: string;
  readonly authorization: RecipientAuthorization;
  /** Each signs each notification; several while rotating. */
  readonly signingSecrets: readonly Secret[];
  readonly clientCertificate: ClientCertificate | null;
}

/** Absent members stay unchanged. */
export type RecipientChange<T extends DeliveryKind = NotificationKind> = AnyRecipientChange & Partial<T["input"]>;

export interface AnyRecipientChange extends Partial<DeliveryRules> {
  readonly name?: string;
  readonly url?: string;
  readonly authorization?: RecipientAuthorization;
  readonly signingSecrets?: readonly Secret[];
  readonly clientCertificate?: ClientCertificate | null;
  /** `active` restarts the schedule of all pending deliveries. */
  readonly state?: { readonly to: "active" } | { readonly to: "paused"; readonly reason: Reason };
}

/** `superseded`: a newer notification replaced it before it was delivered. */
export const deliveryStates = ["pending", "delivered", "dead", "superseded"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export type DeliveryView<T extends DeliveryKind = NotificationKind> = AnyDeliveryView & T["shown"];

export interface AnyDeliveryView {
  readonly id: string;
  readonly recipientId: string;
  readonly orderId: string;
  readonly state: DeliveryState;
  /** The earliest time, once nothing before it is pending; null if ended. */
  readonly dueAt: Date | null;
  /** The earlier delivery of the lane; null if none. */
  readonly waitsFor: string | null;
  readonly attempts: number;
  /** In a row. */
  readonly failures: number;
  /** Of those that have ended; null before. */
  readonly lastAttempt: LastAttempt | null;
  readonly deadReason: Reason | null;
  readonly replayOf: string | null;
  /** The newest delivery that sends it again; null if none does. */
  readonly resentAs: string | null;
  readonly supersededBy: string | null;
  readonly bodyBytes: number;
  readonly bodyDigest: string;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

interface LastAttempt {
  readonly outcome: AttemptOutcome;
  readonly httpStatus: number | null;
  readonly errorCode: string | null;
}

export type DeliveryFilter<T extends DeliveryKind = NotificationKind> = AnyDeliveryFilter & T["found"];

export interface AnyDeliveryFilter {
  readonly state?: DeliveryState;
  readonly recipientId?: string;
  /** Or its beginning and `*`; then in upper or lower case. */
  readonly orderId?: string;
  /** Announced, inclusive. */
  readonly since?: Date;
  /** Announced, exclusive. */
  readonly until?: Date;
}

export interface AttemptView {
  readonly id: string;
  readonly number: number;
  readonly startedAt: Date;
  /** Null: under way or cut off by a crash. The recipient may have received it. */
  readonly outcome: AttemptOutcome | null;
  readonly httpStatus: number | null;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly answerExcerpt: string | null;
  readonly durationMs: number | null;
  readonly timings: ExchangeTimings | null;
}

/** Newest first; `nextCursor` is null on the last page. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

export type ResendOutcome<T extends DeliveryKind = NotificationKind> =
  | {
      readonly outcome: "replayed";
      readonly delivery: DeliveryView<T>;
      /** Of the order: the recipient gets an old state last. */
      readonly newerNotifications: number;
    }
  | { readonly outcome: "not-found" }
  | { readonly outcome: "recipient-removed" };

/** Each method is one transaction. */
export interface RecipientStore<T extends DeliveryKind = NotificationKind> {
  createRecipient(recipient: NewRecipient<T>, by?: Actor | null): Promise<RecipientView<T>>;
  /** Newest first, without removed ones. */
  listRecipients(page: {
    readonly limit: number;
    readonly cursor: string | null;
    readonly agencyId?: string;
  }): Promise<Page<RecipientView<T>>>;
  /** Returns null if missing or removed. */
  readRecipient(recipientId: string): Promise<RecipientView<T> | null>;
  changeRecipient(recipientId: string, change: RecipientChange<T>, by?: Actor | null): Promise<RecipientView<T> | null>;
  /** Deletes the credential and ends pending deliveries as dead. Returns false if missing or removed. */
  removeRecipient(recipientId: string, by?: Actor | null): Promise<boolean>;
  listDeliveries(
    filter: DeliveryFilter<T>,
    page: { readonly limit: number; readonly cursor: string | null },
  ): Promise<Page<DeliveryView<T>>>;
  /** Returns null if missing or deleted. */
  readDelivery(deliveryId: string): Promise<DeliveryView<T> | null>;
  /** Newest first; null if there is no such delivery. */
  listAttempts(deliveryId: string, limit: number): Promise<readonly AttemptView[] | null>;
  resend(deliveryId: string): Promise<ResendOutcome<T>>;
}

/** Notifications without any recipient. Each method is one transaction. */
export interface MissedNotifications {
  /**
   * Sends notifications without a recipient, unless a newer one of their order had one; with ordering `latest` only the
   * newest of each order. Returns how many, or null without such a recipient.
   */
  sendMissed(recipientId: string, since: Date): Promise<number | null>;
  readMissed(): Promise<{ readonly count: number; readonly oldestAt: Date | null }>;
}

export interface RecipientTraffic {
  readonly recipientId: string;
  readonly pending: number;
  /** Since when the oldest waits; null if none. */
  readonly oldestPendingAt: Date | null;
  /** Of the pending ones, those announced more than a minute ago: by now they should have arrived. */
  readonly late: number;
  /** Ended since the requested time. */
  readonly delivered: number;
  readonly superseded: number;
  readonly dead: number;
}

/** Of attempts whose outcome is known. Those that were given back without a request do not count. */
export interface AttemptCounts {
  readonly acknowledged: number;
  readonly refused: number;
  readonly failed: number;
  /** Until the last byte of a response, whatever it was; null without one. */
  readonly medianMs: number | null;
  readonly p95Ms: number | null;
}

export interface AttemptFigures {
  /** The beginning of the first step, or later if there were too many attempts to count all. */
  readonly since: Date;
  readonly stepSeconds: number;
  readonly total: AttemptCounts;
  /** By when attempts began, oldest first, without gaps. */
  readonly steps: readonly (AttemptCounts & { readonly at: Date })[];
}

export interface DeliveryBodies {
  /** Returns null without such a delivery. */
  readDeliveryBody(deliveryId: string): Promise<DeliveryBody | null>;
}

export type DeliveryBody = { readonly kind: "readable"; readonly body: Uint8Array } | UnreadableMessage;

/** Each method is one transaction. */
export interface DeliveryOverview {
  readTraffic(since: Date): Promise<readonly RecipientTraffic[]>;
  readAttemptFigures(since: Date): Promise<AttemptFigures>;
}

/** Deliveries of one state; pending ones are sent anyway. */
export type ResendFilter<T extends DeliveryKind = NotificationKind> = DeliveryFilter<T> & {
  readonly state: Exclude<DeliveryState, "pending">;
};

export interface ResendPreview {
  readonly total: number;
  /** Sent again before, or the recipient is removed: these are skipped. */
  readonly leftOut: number;
  /** Of the others, those whose order has a newer notification. */
  readonly afterNewer: number;
}

export interface ResendView {
  readonly id: string;
  readonly filter: Readonly<Record<string, string>>;
  readonly force: boolean;
  readonly state: "running" | "finished" | "cancelled";
  readonly total: number;
  readonly done: number;
  /** Already resent, recipient removed, or superseded by a newer notification. */
  readonly skipped: number;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

/** Each method is one transaction. */
export interface ResendStore<T extends DeliveryKind = NotificationKind> {
  previewResend(filter: ResendFilter<T>): Promise<ResendPreview>;
  createResend(filter: ResendFilter<T>, force: boolean): Promise<ResendView>;
  listResends(limit: number): Promise<readonly ResendView[]>;
  readResend(replayId: string): Promise<ResendView | null>;
  /** Stops it; an ended one stays unchanged. Returns null if missing. */
  cancelResend(replayId: string): Promise<ResendView | null>;
  /** Processes up to `batch` deliveries of one running resend. Returns false if none is running. */
  advanceResend(batch: number): Promise<boolean>;
}

export interface DeliveryRetention {
  /**
   * Deletes up to `batch` delivered or superseded deliveries, and up to `batch` notifications without deliveries.
   * Returns the number of both.
   */
  deleteEnded(before: Date, batch: number): Promise<number>;
}
