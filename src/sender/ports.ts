import type { Secret } from "../kernel/secret.ts";
import type { Tx } from "../kernel/tx.ts";

/** How deliveries to a recipient are authorized (interface document, "Authentication": one type per endpoint). */
export type RecipientAuthorization =
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
  readonly message: ReadableMessage | UnreadableMessage;
}

/** What is sent, and with which authorization. */
export interface ReadableMessage {
  readonly kind: "readable";
  readonly authorization: RecipientAuthorization;
  readonly signingSecrets: readonly Secret[];
  readonly body: Uint8Array;
}

/** Stored bytes that this process cannot open. A failed try like any other: the key may be given to it in time. */
export interface UnreadableMessage {
  readonly kind: "unreadable";
  readonly reason: Reason & { readonly code: "sender.credential_unreadable" | "sender.body_unreadable" };
}

/** delivered: acknowledged. refused: answered with anything else. failed: no complete answer. */
export type AttemptOutcome = "delivered" | "refused" | "failed";

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
}

export interface Reason {
  readonly code: string;
  readonly message: string;
}

/** What an attempt means for its delivery and lane. */
export type NextStep =
  /** The delivery is done; the lane goes on with the one behind it. */
  | { readonly kind: "delivered" }
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
}

/** A time in which nothing is sent to a recipient. What is due for it waits and uses up no tries. */
export interface Hold {
  readonly until: Date;
  /** throttled: it asked for it by Retry-After. failing: it fails again and again, and one delivery will probe it. */
  readonly because: "throttled" | "failing";
}

/** What a try says about its recipient, beside what it says about the delivery. */
export type HealthChange =
  /** It acknowledged. */
  | { readonly kind: "well" }
  /** It did not; given how it has been doing, the recipient is held back, disabled, or neither. */
  | { readonly kind: "failed"; readonly judge: (health: RecipientHealth) => HealthVerdict }
  /** The try says nothing about the recipient. */
  | { readonly kind: "unchanged" };

export type HealthVerdict =
  | { readonly kind: "goes-on" }
  | { readonly kind: "hold"; readonly hold: Hold }
  | { readonly kind: "disable"; readonly reason: Reason };

/** Where deliveries are kept. Each method is one transaction, except `addAnnouncement`, which joins the caller's. */
export interface DeliveryStore {
  /**
   * Keeps the body and one pending delivery for each recipient that is not removed, and answers how many that are.
   * Adds nothing when this change of this order is there already.
   */
  addAnnouncement(tx: Tx, announcement: Announcement): Promise<number>;

  /**
   * Lanes that are due, of recipients that are active and not held back, fair between recipients, marked as dispatched for `dispatchMs` so that they are not handed out
   * again meanwhile. Together with the lanes that are dispatched or worked on already, never more than `limit`, nor
   * more than `perRecipient` of one recipient.
   */
  takeDueLanes(options: {
    readonly limit: number;
    readonly perRecipient: number;
    /** From so many failures in a row on, a recipient gets one lane at a time. */
    readonly failuresUntilHeld: number;
    readonly dispatchMs: number;
  }): Promise<readonly Lane[]>;

  /** The lease, or null while another worker holds it or nothing is due in this lane. */
  acquireLease(lane: Lane, holder: string, leaseMs: number): Promise<LaneLease | null>;

  /**
   * Writes down that the first pending delivery of the lane is about to be sent, and extends the lease by `leaseMs` from
   * now. Null when the lease is lost, when nothing is due, or when the recipient is not active.
   */
  beginAttempt(lease: LaneLease, leaseMs: number): Promise<BegunAttempt | null>;

  /**
   * Completes the attempt and takes the next step. What the recipient answered is evidence: it is kept, and a delivery
   * that was acknowledged is done, even when the lease is lost; every other step needs the lease. False when it is lost.
   *
   * A recipient whose ordering is `latest` is not tried again with a notification that has a newer one behind it: that
   * one is superseded instead.
   */
  finishAttempt(
    lease: LaneLease,
    attempt: BegunAttempt,
    result: AttemptResult,
    next: NextStep,
    health: HealthChange,
  ): Promise<boolean>;

  /** Gives the lane back; harmless when the lease is lost. */
  releaseLease(lease: LaneLease): Promise<void>;
}

/**
 * `latest`: a newer notification of an order takes the place of those not delivered yet, since each tells the whole order.
 * `every`: all of them, first in, first out.
 */
export type RecipientOrdering = "latest" | "every";

export type RecipientState = "active" | "paused" | "disabled" | "removed";

/** A recipient as people see it: everything but the credential. */
export interface RecipientView extends DeliveryRules {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly authorization: { readonly type: RecipientAuthorization["type"] };
  /** How many there are. */
  readonly signingSecrets: number;
  readonly state: RecipientState;
  /** Why it is not active. */
  readonly stateReason: Reason | null;
  /** What the newest try ran into, among those whose delivery still waits for a retry; null when none does. */
  readonly trouble: (Reason & { readonly at: Date }) | null;
  readonly stateChangedAt: Date;
  /** Null while it acknowledges. */
  readonly failing: { readonly since: Date; readonly failedInRow: number } | null;
  /** Nothing is sent to it before that; null when it is not held back. */
  readonly hold: Hold | null;
  /** Deliveries that wait, for a retry, for their turn, or for the recipient to be resumed. */
  readonly pendingDeliveries: number;
  readonly createdAt: Date;
}

/** How a recipient is delivered to. */
export interface DeliveryRules {
  readonly ordering: RecipientOrdering;
  /** Codes of the airlines whose changes it is sent; null: every airline's. */
  readonly airlines: readonly string[] | null;
  /** `required`: only an AcknowledgeResponse with Status OK counts. `any-success`: any 2xx does. */
  readonly acknowledgement: "required" | "any-success";
  /** For a whole attempt, instead of the sender's own; 1,000 to 60,000. */
  readonly deadlineMs: number | null;
  /** Orders that are delivered at the same time, instead of the sender's own number; 1 to 64. */
  readonly lanesMax: number | null;
}

export interface NewRecipient extends DeliveryRules {
  readonly name: string;
  readonly url: string;
  readonly authorization: RecipientAuthorization;
  /** Each notification is signed with each of them (Standard Webhooks); several while they are rotated. */
  readonly signingSecrets: readonly Secret[];
}

/** What is absent stays as it is. */
export interface RecipientChange extends Partial<DeliveryRules> {
  readonly name?: string;
  readonly url?: string;
  readonly authorization?: RecipientAuthorization;
  readonly signingSecrets?: readonly Secret[];
  /** `active` starts the schedule of everything that is pending anew. */
  readonly state?: { readonly to: "active" } | { readonly to: "paused"; readonly reason: Reason };
}

/** `superseded`: a newer notification of the order took its place before it was delivered. */
export const deliveryStates = ["pending", "delivered", "dead", "superseded"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export interface DeliveryView {
  readonly id: string;
  readonly recipientId: string;
  readonly orderId: string;
  readonly airline: string;
  readonly changeId: string;
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
}

/** A part of a list, newest first; `nextCursor` is null on the last page. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

export type ReplayOutcome =
  | {
      readonly outcome: "replayed";
      readonly delivery: DeliveryView;
      /** Notifications of the same order that are newer than the replayed one: the recipient will see an old state last. */
      readonly newerNotifications: number;
    }
  | { readonly outcome: "not-found" }
  | { readonly outcome: "recipient-removed" };

/** Where recipients are kept, and what people read and do. Each method is one transaction. */
export interface RecipientStore {
  createRecipient(recipient: NewRecipient): Promise<RecipientView>;
  /** Newest first, without the removed ones. */
  listRecipients(page: { readonly limit: number; readonly cursor: string | null }): Promise<Page<RecipientView>>;
  /** Null when there is none, or when it is removed. */
  readRecipient(recipientId: string): Promise<RecipientView | null>;
  /** Null when there is none, or when it is removed. */
  changeRecipient(recipientId: string, change: RecipientChange): Promise<RecipientView | null>;
  /** Wipes the credential and ends what is pending as dead. False when there is none, or when it is removed already. */
  removeRecipient(recipientId: string): Promise<boolean>;
  /**
   * Adds a delivery of each notification since then that is for this recipient and went to nobody, as nothing newer of its
   * order did; of several of an order only the newest, when it wants the latest only. Answers how many; null when there is
   * no such recipient.
   */
  sendMissed(recipientId: string, since: Date): Promise<number | null>;
  /** Notifications that went to nobody, as nothing newer of their orders did. */
  readMissed(): Promise<{ readonly count: number; readonly oldestAt: Date | null }>;

  listDeliveries(
    filter: { readonly state?: DeliveryState; readonly orderId?: string; readonly recipientId?: string },
    page: { readonly limit: number; readonly cursor: string | null },
  ): Promise<Page<DeliveryView>>;
  /** The newest attempts, newest first, at most `limit`; null when there is no such delivery. */
  listAttempts(deliveryId: string, limit: number): Promise<readonly AttemptView[] | null>;
  /** Adds a pending delivery of the same bytes at the end of the lane. */
  replay(deliveryId: string): Promise<ReplayOutcome>;
}
