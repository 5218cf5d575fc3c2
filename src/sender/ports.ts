import { z } from "zod";
import type { Actor } from "../kernel/actor.ts";
import type { Secret } from "../kernel/secret.ts";
import { id, instant, type Stored } from "../kernel/stored.ts";
import type { Tx } from "../kernel/tx.ts";
import type { RaisedLanes } from "./lanes-by-latency.ts";
import { defaultLanesText } from "./recipient-defaults.ts";

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
  /** The trace of the announcement; null if there is none. */
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

const reason = z.strictObject({ code: z.string(), message: z.string() }).meta({ id: "Reason" });

export type Reason = Stored<typeof reason>;

const attemptOutcome = z.enum(["delivered", "refused", "failed"]).meta({
  description:
    "`delivered`: it was acknowledged. `refused`: there was any other response. `failed`: there was no complete response.",
});

export type AttemptOutcome = z.infer<typeof attemptOutcome>;

const milliseconds = z.number().nullable();

const exchangeTimings = z.strictObject({
  lookupMs: milliseconds.meta({ description: "Null without a new connection, as the next two." }),
  connectMs: milliseconds,
  tlsMs: milliseconds,
  firstByteMs: milliseconds.meta({ description: "From the start of the exchange; null without a response." }),
});

export type ExchangeTimings = Stored<typeof exchangeTimings>;

const attemptMembers = {
  httpStatus: z.int().nullable(),
  errorCode: z.string().nullable().meta({ description: "Null if it was delivered." }),
  answerExcerpt: z.string().nullable().meta({
    description: "The start of the response as text, without the credentials that were sent.",
  }),
  errorMessage: z.string().nullable(),
  timings: exchangeTimings.nullable(),
};

export const attemptResult = z.strictObject({ outcome: attemptOutcome, ...attemptMembers, durationMs: z.number() });

export type AttemptResult = Stored<typeof attemptResult>;

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

const recipientHold = z
  .strictObject({
    until: instant,
    because: z.enum(["throttled", "failing"]).meta({
      description: "`throttled`: it sent Retry-After. `failing`: it fails repeatedly, and one delivery will probe it.",
    }),
  })
  .meta({ description: "Nothing is sent to the recipient meanwhile; waiting uses up no attempts." });

export type RecipientHold = Stored<typeof recipientHold>;

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

/** Of a recipient that responds quickly: half of them are recorded and claimed anew while the others are sent. */
export const lanesAheadMax = 64;

export interface ClaimBounds {
  /** Attempts; 0 claims nothing. */
  readonly limit: number;
  /** How many of them may be deliveries that have failed before. */
  readonly retriesMax: number;
  /** Concurrent lanes per recipient over all processes, unless it has its own limit. */
  readonly perRecipient: number;
  /** Recipients that get another number instead, unless they have their own limit. */
  readonly raised: readonly RaisedLanes[];
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

export const testResult = attemptResult.extend({ webhookId: z.string() });

export type TestResult = Stored<typeof testResult>;

export interface DeliveryKind {
  readonly input: object;
  readonly shown: object;
  readonly found: object;
}

const notificationInput = z.strictObject({
  airlines: z.array(z.string()).nullable().meta({ description: "Codes of airlines; null means all." }),
});

const notificationShown = z.strictObject({ airline: z.string(), changeId: z.string() });

export interface NotificationKind {
  readonly input: Stored<typeof notificationInput>;
  readonly shown: Stored<typeof notificationShown>;
  readonly found: { readonly airline?: string };
}

export const recipientLanesMax = 64;

const deliveryRules = z.strictObject({
  ordering: z.enum(["latest", "every"]).meta({
    description: "`latest`: a newer notification supersedes undelivered ones.",
  }),
  acknowledgement: z.enum(["required", "any-success"]).meta({
    description: "`required`: only an AcknowledgeResponse with Status OK counts. `any-success`: any 2xx does.",
  }),
  deadlineMs: z.int().nullable().meta({ description: "1,000 to 60,000 for a whole attempt; null means the default." }),
  lanesMax: z
    .int()
    .nullable()
    .meta({
      description: `Concurrent orders, 1 to ${recipientLanesMax}; null means ${defaultLanesText}.`,
    }),
  ratePerSecond: z
    .int()
    .nullable()
    .meta({ description: "Deliveries per second over all processes, 1 to 1,000; null for no limit." }),
  agencyId: z
    .string()
    .nullable()
    .meta({ description: "The operator's name of its agency; null if it belongs to none." }),
});

export type DeliveryRules = Stored<typeof deliveryRules>;

/** What recipients of both kinds have. */
export const anyRecipient = z.strictObject({
  id,
  name: z.string(),
  url: z.string(),
  authorization: z.strictObject({ type: z.enum(["none", "basic", "bearer", "oauth"]) }),
  signingSecrets: z.int().meta({ description: "How many." }),
  clientCertificate: z.strictObject({ expiresAt: instant }).nullable(),
  state: z.enum(["active", "paused", "disabled", "removed"]),
  stateReason: reason.nullable(),
  stateChangedAt: instant,
  trouble: reason
    .extend({ at: instant })
    .nullable()
    .meta({ description: "Of deliveries that wait for a retry; null if none does." }),
  failing: z
    .strictObject({ since: instant, failedInRow: z.int() })
    .nullable()
    .meta({ description: "Null while it acknowledges." }),
  hold: recipientHold.nullable(),
  pendingDeliveries: z.int(),
  createdAt: instant,
  ...deliveryRules.shape,
});

type AnyRecipientView = Stored<typeof anyRecipient>;

export type RecipientView<T extends DeliveryKind = NotificationKind> = AnyRecipientView & T["input"];

export const notificationRecipient = anyRecipient.extend(notificationInput.shape).meta({ id: "Recipient" });

export type NewRecipient<T extends DeliveryKind = NotificationKind> = AnyNewRecipient & T["input"];

export interface AnyNewRecipient extends DeliveryRules, Pick<AnyRecipientView, "name" | "url"> {
  readonly authorization: RecipientAuthorization;
  /** Each signs each notification; several while rotating. */
  readonly signingSecrets: readonly Secret[];
  readonly clientCertificate: ClientCertificate | null;
}

/** Absent members stay unchanged. */
export type RecipientChange<T extends DeliveryKind = NotificationKind> = AnyRecipientChange & Partial<T["input"]>;

export interface AnyRecipientChange extends Partial<AnyNewRecipient> {
  /** `active` restarts the schedule of all pending deliveries. */
  readonly state?: { readonly to: "active" } | { readonly to: "paused"; readonly reason: Reason };
}

/** `superseded`: a newer notification replaced it before it was delivered. */
export const deliveryStates = ["pending", "delivered", "dead", "superseded"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** What deliveries of both kinds have. */
export const anyDelivery = z.strictObject({
  id,
  recipientId: id,
  orderId: z.string(),
  state: z.enum(deliveryStates),
  dueAt: instant
    .nullable()
    .meta({ description: "The earliest time, once nothing before it is pending; null if it has ended." }),
  waitsFor: id.nullable().meta({ description: "An earlier delivery of the order; null if none is pending." }),
  attempts: z.int(),
  failures: z.int().meta({ description: "In a row." }),
  lastAttempt: attemptResult
    .pick({ outcome: true, httpStatus: true, errorCode: true })
    .nullable()
    .meta({ description: "Of those that have ended; null before." }),
  deadReason: reason.nullable(),
  replayOf: id.nullable(),
  resentAs: id.nullable().meta({ description: "The newest delivery that sends it again; null if none does." }),
  supersededBy: id.nullable(),
  bodyBytes: z.int(),
  bodyDigest: z.string(),
  createdAt: instant,
  finishedAt: instant.nullable(),
});

export type DeliveryView<T extends DeliveryKind = NotificationKind> = Stored<typeof anyDelivery> & T["shown"];

export const notificationDelivery = anyDelivery.extend(notificationShown.shape).meta({ id: "Delivery" });

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

export const attempt = z.strictObject({
  id,
  number: z.int(),
  startedAt: instant,
  outcome: attemptOutcome.nullable().meta({
    description: "Null: under way or cut off by a crash. The recipient may have received it.",
  }),
  ...attemptMembers,
  durationMs: z.number().nullable(),
});

export type AttemptView = Stored<typeof attempt>;

/** Newest first; `nextCursor` is null on the last page. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

export type ResendOutcome<T extends DeliveryKind = NotificationKind> =
  | {
      readonly outcome: "replayed";
      readonly delivery: DeliveryView<T>;
      /** How many newer notifications of the order there are: the recipient gets an old state last. */
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

export const missedNotifications = z.strictObject({ count: z.int(), oldestAt: instant.nullable() });

/** Notifications without any recipient. Each method is one transaction. */
export interface MissedNotifications {
  /**
   * Sends notifications without a recipient, unless a newer one of their order had one; with ordering `latest` only the
   * newest of each order. Returns how many, or null without such a recipient.
   */
  sendMissed(recipientId: string, since: Date): Promise<number | null>;
  readMissed(): Promise<Stored<typeof missedNotifications>>;
}

export const recipientTraffic = z.strictObject({
  recipientId: id,
  pending: z.int(),
  oldestPendingAt: instant.nullable().meta({ description: "Since when the oldest waits; null if none does." }),
  late: z.int().meta({
    description: "Of the pending ones, those announced more than a minute ago: by now they should have arrived.",
  }),
  delivered: z.int().meta({ description: "Ended since the requested time, as the next two." }),
  superseded: z.int(),
  dead: z.int(),
});

export type RecipientTraffic = Stored<typeof recipientTraffic>;

/** Counts attempts with a known outcome. Those that were given back without a request do not count. */
const attemptCounts = z.strictObject({
  acknowledged: z.int(),
  refused: z.int(),
  failed: z.int(),
  medianMs: z
    .number()
    .nullable()
    .meta({ description: "Until the last byte of a response, whatever it was; null without one." }),
  p95Ms: z.number().nullable(),
});

export type AttemptCounts = Stored<typeof attemptCounts>;

export const attemptFigures = z.strictObject({
  since: instant.meta({
    description: "The beginning of the first step, or later if there were too many attempts to count all.",
  }),
  stepSeconds: z.int(),
  total: attemptCounts,
  steps: z
    .array(attemptCounts.extend({ at: instant }))
    .meta({ description: "By when attempts began, oldest first, without gaps." }),
});

export type AttemptFigures = Stored<typeof attemptFigures>;

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

export const resendPreview = z.strictObject({
  total: z.int(),
  leftOut: z.int().meta({ description: "Sent again before, or the recipient is removed: these are skipped." }),
  afterNewer: z.int().meta({ description: "Of the others, those whose order has a newer notification." }),
});

export type ResendPreview = Stored<typeof resendPreview>;

export const resend = z
  .strictObject({
    id,
    filter: z.record(z.string(), z.string()),
    force: z.boolean(),
    state: z.enum(["running", "finished", "cancelled"]),
    total: z.int(),
    done: z.int(),
    skipped: z.int().meta({
      description: "Already resent, recipient removed, or superseded by a newer notification.",
    }),
    createdAt: instant,
    finishedAt: instant.nullable(),
  })
  .meta({ id: "Replay" });

export type ResendView = Stored<typeof resend>;

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
