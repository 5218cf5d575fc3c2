import type { Secret } from "../kernel/secret.ts";
import type { Tx } from "../kernel/tx.ts";

/** How deliveries to a recipient are authorized (interface document, "Authentication": one type per endpoint). */
export type RecipientAuthorization =
  /** Nothing but the signature; for events, which are always signed. */
  | { readonly type: "none" }
  | { readonly type: "basic"; readonly username: string; readonly password: Secret }
  | { readonly type: "bearer"; readonly token: Secret }
  | OAuthAuthorization;

/**
 * basic: id and secret in the Authorization header of the token request; post: in its body (RFC 6749 section 2.3.1).
 * private-key-jwt: an assertion that is signed with a private key (RFC 7523 section 2.2).
 */
export const clientAuthentications = ["basic", "post", "private-key-jwt"] as const;
export type ClientAuthentication = (typeof clientAuthentications)[number];

/** An access token from the recipient's own token endpoint, by the client credentials grant (RFC 6749 section 4.4). */
export interface OAuthAuthorization {
  readonly type: "oauth";
  readonly tokenUrl: string;
  readonly clientId: string;
  /** Its secret; with `private-key-jwt`, its private key in PEM. */
  readonly clientSecret: Secret;
  readonly clientAuthentication: ClientAuthentication;
  /** `kid` of the private key, where the token endpoint asks for it; null when it does not. */
  readonly keyId: string | null;
  /** Scopes separated by spaces; null leaves them to the token endpoint. */
  readonly scope: string | null;
  /** Whom the token is for, where the token endpoint asks for that; null when it does not. */
  readonly audience: string | null;
}

/** What this side shows a recipient that asks for a certificate (mutual TLS, RFC 8446 section 4.4.2). */
export interface ClientCertificate {
  /** The certificate, and those between it and its authority, in PEM. */
  readonly certificate: string;
  /** Its private key in PEM, unencrypted. */
  readonly privateKey: Secret;
  /** Authorities that the recipient's own certificate may come from, in PEM, instead of the public ones; null: those. */
  readonly authorities: string | null;
  readonly expiresAt: Date;
}

/** One order at one recipient: what is delivered strictly one after the other. */
export interface Lane {
  readonly recipientId: string;
  readonly orderId: string;
}

/** The right to deliver in one lane, for a while. Only the newest lease of a lane can move it along. */
export interface LaneLease extends Lane {
  readonly fence: number;
}

/** One notification to be kept with a delivery for each recipient. */
export interface Announcement {
  readonly orderId: string;
  /** The code of the carrier whose change it is. */
  readonly airline: string;
  /** The change that it tells of. The same change of the same order is announced once. */
  readonly changeId: string;
  /** The exact bytes to send. */
  readonly body: Uint8Array;
}

/** An attempt that is written down and may now be sent. */
export interface BegunAttempt {
  readonly attemptId: string;
  readonly lease: LaneLease;
  /** 1 for the first try of this delivery. */
  readonly number: number;
  readonly startedAt: Date;
  readonly delivery: {
    readonly id: string;
    readonly failures: number;
    /** Start of the first try that the retry schedule counts from; this one, when it is the first. */
    readonly firstTriedAt: Date;
  };
  readonly url: string;
  readonly rules: Pick<DeliveryRules, "acknowledgement" | "deadlineMs">;
  /**
   * Requests that its recipient gets at a time when it does well; when it does not, no more are claimed. This one waits when as many
   * are under way.
   */
  readonly slotsMax: number;
  readonly message: ReadableMessage | UnreadableMessage;
}

/** What is sent, and with which authorization. */
export interface ReadableMessage {
  readonly kind: "readable";
  readonly authorization: RecipientAuthorization;
  readonly signingSecrets: readonly Secret[];
  readonly clientCertificate: ClientCertificate | null;
  readonly body: Uint8Array;
}

/** Stored bytes that this process cannot open. A failed try like any other: the key may be given to it in time. */
export interface UnreadableMessage {
  readonly kind: "unreadable";
  readonly reason: Reason & { readonly code: "sender.credential_unreadable" | "sender.body_unreadable" };
}

/** delivered: acknowledged. refused: answered with anything else. failed: no complete answer. */
export type AttemptOutcome = "delivered" | "refused" | "failed";

/** Where the time of an exchange went, in milliseconds. */
export interface ExchangeTimings {
  /** Looking the name up, connecting, agreeing on TLS; null where a connection that was open already was used, or none came about. */
  readonly lookupMs: number | null;
  readonly connectMs: number | null;
  readonly tlsMs: number | null;
  /** From the start of the exchange to the first byte of the answer; null when none came. */
  readonly firstByteMs: number | null;
}

/** What is kept of a try. */
export interface AttemptResult {
  readonly outcome: AttemptOutcome;
  readonly httpStatus: number | null;
  /** Stable; null when it was delivered. */
  readonly errorCode: string | null;
  /** The beginning of the answer as text, without our credentials. */
  readonly answerExcerpt: string | null;
  /** What went wrong, in words without credentials, at most 1,000 characters; null when code and status say it all. */
  readonly errorMessage: string | null;
  readonly durationMs: number;
  /** Null when the recipient was not called. */
  readonly timings: ExchangeTimings | null;
}

export interface Reason {
  readonly code: string;
  readonly message: string;
}

/** What an attempt that was not acknowledged means for its delivery and lane. */
export type NextStep =
  /** A failure: the lane waits until then. */
  | { readonly kind: "retry"; readonly dueAt: Date }
  /** The schedule is used up: into the dead-letter list; the lane goes on with the one behind it. */
  | { readonly kind: "dead"; readonly reason: Reason }
  /** The recipient is disabled; what is pending for it stays pending until a person resumes it. */
  | { readonly kind: "disable-recipient"; readonly reason: Reason }
  /** Cut short by us, or refused for an access token that can be renewed: due at once, no failure counted. */
  | { readonly kind: "again" };

/** How a recipient has been doing since its last acknowledgement, over all of its lanes. */
export interface RecipientHealth {
  /** Failed tries, this one included. */
  readonly failedInRow: number;
  /** When the first of them began. */
  readonly failingSince: Date;
  /** How often it was said already that it fails. */
  readonly notices: number;
}

/** A time in which nothing is sent to a recipient. What is due for it waits and uses up no tries. */
export interface AutomaticPause {
  readonly until: Date;
  /** throttled: it asked for it by Retry-After. failing: it fails again and again, and one delivery will probe it. */
  readonly because: "throttled" | "failing";
}

/** What a try that was not acknowledged says about its recipient, beside what it says about the delivery. */
export type HealthChange =
  /** It fails; given how it has been doing, the recipient is held back, disabled, or neither. */
  | { readonly kind: "failed"; readonly judge: (health: RecipientHealth) => HealthVerdict }
  /** The try says nothing about the recipient. */
  | { readonly kind: "unchanged" };

export type HealthVerdict =
  | { readonly kind: "goes-on"; readonly notices: number }
  | { readonly kind: "hold"; readonly hold: AutomaticPause; readonly notices: number }
  | { readonly kind: "disable"; readonly reason: Reason };

/** Where deliveries of notifications are kept. `addAnnouncement` joins the caller's transaction. */
export interface DeliveryStore extends LaneStore {
  /**
   * Keeps the body and one pending delivery for each recipient that is not removed, and answers how many that are.
   * Adds nothing when this change of this order is there already.
   */
  addAnnouncement(tx: Tx, announcement: Announcement): Promise<number>;
}

/** Where deliveries are worked off, whatever is delivered. */
export interface LaneStore {
  /**
   * Records what was acknowledged, then claims what is due: two commits in one round trip, so that a lane that is given back can be
   * claimed at once. Either may fail without the other.
   *
   * Recording completes attempts of different lanes and gives the lanes back. What the recipient answered is evidence: the
   * delivery is done even when the lease is lost. An attempt whose lane somebody else changes at this moment is not among the
   * recorded ones; hand it over again.
   *
   * Claiming takes the first delivery of each of many lanes that are due, of recipients that are active and not held back,
   * fair between recipients: it leases the lane, and writes down that an attempt begins.
   */
  recordAndClaim(delivered: readonly DeliveredAttempt[], bounds: ClaimBounds): Promise<Exchange>;

  /**
   * Completes an attempt that was not acknowledged, takes the next step and gives the lane back. What the recipient answered
   * is kept even when the lease is lost; the step needs the lease. False when it is lost.
   *
   * A recipient whose ordering is `latest` is not tried again with a notification that has a newer one behind it: that
   * one is superseded instead.
   */
  finishAttempt(attempt: BegunAttempt, result: AttemptResult, next: NextStep, health: HealthChange): Promise<boolean>;

  /** What a try to this recipient takes besides a delivery; null when there is no such recipient, or it is removed. */
  readTarget(recipientId: string): Promise<RecipientTarget | null>;
}

/** Lanes that may be leased for a recipient that is claimed ahead for, as a multiple of those that it is sent at a time. */
export const lanesAhead = 3;

/** How much may be claimed. */
export interface ClaimBounds {
  /** Attempts, at most; 0 claims nothing. */
  readonly limit: number;
  /** Of these, those of deliveries that have failed before. */
  readonly retriesMax: number;
  /** Lanes of one recipient that are delivered at the same time, over all processes, when it has no number of its own. */
  readonly perRecipient: number;
  /**
   * Recipients for which `lanesAhead` times as many lanes are leased, as long as they do well and nobody else holds one of theirs:
   * who is alone keeps the limit over all processes by itself.
   */
  readonly aheadFor: readonly string[];
  /** From so many failures in a row on, a recipient gets one lane at a time. */
  readonly failuresUntilPaused: number;
  /** Who holds the leases. */
  readonly holder: string;
  /** How long a lease lasts, besides the recipient's own deadline when it has one. */
  readonly leaseMs: number;
}

export interface Exchange {
  readonly recorded: readonly RecordedAttempt[];
  /** Those whose turn it is first. */
  readonly attempts: readonly BegunAttempt[];
  /** Whether to look again at once: another process was faster, or a lane was tidied up. */
  readonly isIncomplete: boolean;
  /** What went wrong with one of the two, for the caller to throw once it has dealt with the other; null when nothing did. */
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

/** Where and how a recipient is called, whatever it is sent. */
export interface RecipientTarget {
  readonly url: string;
  readonly rules: BegunAttempt["rules"];
  readonly message: Omit<ReadableMessage, "body"> | UnreadableMessage;
}

/** What became of a notification that was sent to try the recipient out. Nothing of it is kept. */
export interface TestResult extends AttemptResult {
  /** `webhook-id` of the notification. */
  readonly webhookId: string;
}

/**
 * `latest`: a newer notification of an order takes the place of those not delivered yet, since each tells the whole order.
 * `every`: all of them, first in, first out.
 */
export type RecipientOrdering = "latest" | "every";

export type RecipientState = "active" | "paused" | "disabled" | "removed";

/** What is delivered: by what recipients choose, and what is shown of a delivery and found by. */
export interface DeliveryKind {
  readonly input: object;
  readonly shown: object;
  readonly found: object;
}

/** Order Change Notifications, from the gateway. */
export interface NotificationKind {
  readonly input: {
    /** Codes of the airlines whose changes it is sent; null: every airline's. */
    readonly airlines: readonly string[] | null;
  };
  readonly shown: { readonly airline: string; readonly changeId: string };
  readonly found: { readonly airline?: string };
}

/** A recipient as people see it: everything but the credential. */
export type RecipientView<T extends DeliveryKind = NotificationKind> = AnyRecipientView & T["input"];

export interface AnyRecipientView extends DeliveryRules {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly authorization: { readonly type: RecipientAuthorization["type"] };
  /** How many there are. */
  readonly signingSecrets: number;
  /** The certificate that this side shows it; null when it is shown none. */
  readonly clientCertificate: { readonly expiresAt: Date } | null;
  readonly state: RecipientState;
  /** Why it is not active. */
  readonly stateReason: Reason | null;
  /** What the newest try ran into, among those whose delivery still waits for a retry; null when none does. */
  readonly trouble: (Reason & { readonly at: Date }) | null;
  readonly stateChangedAt: Date;
  /** Null while it acknowledges. */
  readonly failing: { readonly since: Date; readonly failedInRow: number } | null;
  /** Nothing is sent to it before that; null when it is not held back. */
  readonly hold: AutomaticPause | null;
  /** Deliveries that wait, for a retry, for their turn, or for the recipient to be resumed. */
  readonly pendingDeliveries: number;
  readonly createdAt: Date;
}

/** The most orders of one recipient that can be delivered at the same time. */
export const recipientLanesMax = 64;

/** How a recipient is delivered to. */
export interface DeliveryRules {
  readonly ordering: RecipientOrdering;
  /** `required`: only an AcknowledgeResponse with Status OK counts. `any-success`: any 2xx does. */
  readonly acknowledgement: "required" | "any-success";
  /** For a whole attempt, instead of the sender's own; 1,000 to 60,000. */
  readonly deadlineMs: number | null;
  /** Orders that are delivered at the same time, instead of the sender's own number; 1 to `recipientLanesMax`. */
  readonly lanesMax: number | null;
  /** Deliveries a second, over all processes; null: as fast as it answers. 1 to 1,000. */
  readonly ratePerSecond: number | null;
  /** The agency that it belongs to, as the operator names agencies; null: nobody in particular. */
  readonly agencyId: string | null;
}

export type NewRecipient<T extends DeliveryKind = NotificationKind> = AnyNewRecipient & T["input"];

export interface AnyNewRecipient extends DeliveryRules {
  readonly name: string;
  readonly url: string;
  readonly authorization: RecipientAuthorization;
  /** Each notification is signed with each of them (Standard Webhooks); several while they are rotated. */
  readonly signingSecrets: readonly Secret[];
  readonly clientCertificate: ClientCertificate | null;
}

/** What is absent stays as it is. */
export type RecipientChange<T extends DeliveryKind = NotificationKind> = AnyRecipientChange & Partial<T["input"]>;

export interface AnyRecipientChange extends Partial<DeliveryRules> {
  readonly name?: string;
  readonly url?: string;
  readonly authorization?: RecipientAuthorization;
  readonly signingSecrets?: readonly Secret[];
  readonly clientCertificate?: ClientCertificate | null;
  /** `active` starts the schedule of everything that is pending anew. */
  readonly state?: { readonly to: "active" } | { readonly to: "paused"; readonly reason: Reason };
}

/** `superseded`: a newer notification of the order took its place before it was delivered. */
export const deliveryStates = ["pending", "delivered", "dead", "superseded"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export type DeliveryView<T extends DeliveryKind = NotificationKind> = AnyDeliveryView & T["shown"];

export interface AnyDeliveryView {
  readonly id: string;
  readonly recipientId: string;
  readonly orderId: string;
  readonly state: DeliveryState;
  /** When it may be tried, once nothing in front of it is pending; null when it has ended. */
  readonly dueAt: Date | null;
  /** The delivery of the same lane that must end first; null when this one is the first. */
  readonly waitsFor: string | null;
  /** Tries begun. */
  readonly attempts: number;
  /** Failed tries in a row. */
  readonly failures: number;
  readonly deadReason: Reason | null;
  readonly replayOf: string | null;
  /** The delivery that took its place. */
  readonly supersededBy: string | null;
  readonly bodyBytes: number;
  /** SHA-256 of the body in lower-case hex. */
  readonly bodyDigest: string;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

/** Which deliveries; what is absent does not matter. */
export type DeliveryFilter<T extends DeliveryKind = NotificationKind> = AnyDeliveryFilter & T["found"];

export interface AnyDeliveryFilter {
  readonly state?: DeliveryState;
  readonly recipientId?: string;
  readonly orderId?: string;
  /** Announced then or later. */
  readonly since?: Date;
  /** Announced before that. */
  readonly until?: Date;
}

export interface AttemptView {
  readonly id: string;
  readonly number: number;
  readonly startedAt: Date;
  /** Null: still under way, or cut off by a crash. The recipient may have received it. */
  readonly outcome: AttemptOutcome | null;
  readonly httpStatus: number | null;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly answerExcerpt: string | null;
  readonly durationMs: number | null;
  readonly timings: ExchangeTimings | null;
}

/** A part of a list, newest first; `nextCursor` is null on the last page. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

export type ResendOutcome<T extends DeliveryKind = NotificationKind> =
  | {
      readonly outcome: "replayed";
      readonly delivery: DeliveryView<T>;
      /** Notifications of the same order that are newer than the replayed one: the recipient will see an old state last. */
      readonly newerNotifications: number;
    }
  | { readonly outcome: "not-found" }
  | { readonly outcome: "recipient-removed" };

/** Where recipients are kept, and what people read and do. Each method is one transaction. */
export interface RecipientStore<T extends DeliveryKind = NotificationKind> {
  createRecipient(recipient: NewRecipient<T>, actor?: string): Promise<RecipientView<T>>;
  /** Newest first, without the removed ones; of one agency only, when one is given. */
  listRecipients(page: {
    readonly limit: number;
    readonly cursor: string | null;
    readonly agencyId?: string;
  }): Promise<Page<RecipientView<T>>>;
  /** Null when there is none, or when it is removed. */
  readRecipient(recipientId: string): Promise<RecipientView<T> | null>;
  /** Null when there is none, or when it is removed. */
  changeRecipient(recipientId: string, change: RecipientChange<T>, actor?: string): Promise<RecipientView<T> | null>;
  /** Wipes the credential and ends what is pending as dead. False when there is none, or when it is removed already. */
  removeRecipient(recipientId: string, actor?: string): Promise<boolean>;
  listDeliveries(
    filter: DeliveryFilter<T>,
    page: { readonly limit: number; readonly cursor: string | null },
  ): Promise<Page<DeliveryView<T>>>;
  /** Null when there is none, or when it is deleted already. */
  readDelivery(deliveryId: string): Promise<DeliveryView<T> | null>;
  /** The newest attempts, newest first, at most `limit`; null when there is no such delivery. */
  listAttempts(deliveryId: string, limit: number): Promise<readonly AttemptView[] | null>;
  /** Adds a pending delivery of the same bytes at the end of the lane. */
  resend(deliveryId: string): Promise<ResendOutcome<T>>;
}

/** Notifications that went to nobody. Each method is one transaction. */
export interface MissedNotifications {
  /**
   * Adds a delivery of each notification since then that is for this recipient and went to nobody, as nothing newer of its
   * order did; of several of an order only the newest, when it wants the latest only. Answers how many; null when there is
   * no such recipient.
   */
  sendMissed(recipientId: string, since: Date): Promise<number | null>;
  /** Notifications that went to nobody, as nothing newer of their orders did. */
  readMissed(): Promise<{ readonly count: number; readonly oldestAt: Date | null }>;
}

/** How deliveries to one recipient fare. */
export interface RecipientTraffic {
  readonly recipientId: string;
  /** Waiting now, and since when the oldest of them waits; null when none does. */
  readonly pending: number;
  readonly oldestPendingAt: Date | null;
  /** Ended since the moment that was asked for, by how they ended. */
  readonly delivered: number;
  readonly superseded: number;
  readonly dead: number;
}

/** What people look at before they look closer. Each method is one transaction. */
export interface DeliveryOverview {
  /** One entry for each recipient that is not removed. */
  readTraffic(since: Date): Promise<readonly RecipientTraffic[]>;
}

/** Which deliveries are sent again: those of one state, and no pending ones, which are sent anyway. */
export type ResendFilter<T extends DeliveryKind = NotificationKind> = DeliveryFilter<T> & {
  readonly state: Exclude<DeliveryState, "pending">;
};

/** What a replay of many would do. */
export interface ResendPreview {
  readonly total: number;
  /** Of these, how many the recipient would get after a newer notification of the same order. */
  readonly afterNewer: number;
}

/** A replay of many deliveries, as far as it got. */
export interface ResendView {
  readonly id: string;
  readonly filter: Readonly<Record<string, string>>;
  readonly force: boolean;
  readonly state: "running" | "finished" | "cancelled";
  /** Deliveries that the filter found when it began. */
  readonly total: number;
  /** Of these: sent again, or left out. */
  readonly done: number;
  /** Left out: replayed before, their recipient removed, or pointless after a newer notification. */
  readonly skipped: number;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

/** Replays of many deliveries. Each method is one transaction. */
export interface ResendStore<T extends DeliveryKind = NotificationKind> {
  previewResend(filter: ResendFilter<T>): Promise<ResendPreview>;
  createResend(filter: ResendFilter<T>, force: boolean): Promise<ResendView>;
  /** Newest first. */
  listResends(limit: number): Promise<readonly ResendView[]>;
  readResend(replayId: string): Promise<ResendView | null>;
  /** Stops it where it is; one that has ended stays as it is. Null when there is none. */
  cancelResend(replayId: string): Promise<ResendView | null>;
  /** Works on one replay that is running, up to `batch` deliveries. False when there is none. */
  advanceResend(batch: number): Promise<boolean>;
}

/** Deletes what has ended long ago. */
export interface DeliveryRetention {
  /**
   * Deletes up to `batch` deliveries that were delivered or superseded before then, with their attempts, and up to `batch`
   * notifications from before then that no delivery needs any more. Answers how many rows of both that were.
   */
  deleteEnded(before: Date, batch: number): Promise<number>;
}
