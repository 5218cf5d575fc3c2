import type { JWK } from "jose";
import type { NotifiedOrder } from "../contract/notified-orders.ts";
import type { Secret } from "../kernel/secret.ts";
import type { Way } from "./ways.ts";

export interface ReceiverSource {
  readonly name: string;
  /** At least one. */
  readonly authentication: readonly Way[];
  /** Whether to acknowledge an unusable body once it is quarantined, instead of responding with 400, 415 or 422. */
  readonly acknowledgeUnusable: boolean;
}

export interface SigningKey {
  /** RFC 7638 thumbprint. */
  readonly kid: string;
  readonly algorithm: "ES256";
  readonly publicJwk: JWK;
  readonly createdAt: Date;
  /** Null for the key that signs. */
  readonly retiredAt: Date | null;
  readonly publishedUntil: Date | null;
}

export interface NewSigningKey extends Omit<SigningKey, "retiredAt" | "publishedUntil"> {
  /** The private JWK as JSON. Stored encrypted. */
  readonly privateJwk: Secret;
}

/** Shared by all processes. Every method rejects if the database is unavailable. */
export interface SigningKeyStore {
  /** The keys that may verify a token now, the signing one first; empty before the first key. */
  listPublishedKeys(now: Date): Promise<readonly SigningKey[]>;
  readSigningKey(): Promise<{ readonly kid: string; readonly privateJwk: Secret } | null>;
  /** Does nothing if a key exists, even from a concurrent process. */
  addFirstKey(key: NewSigningKey): Promise<void>;
  /** Makes this key sign and retires the previous one, deleting its private half; returns the retired key's id. */
  rotateKey(key: NewSigningKey, retiredPublishedUntil: Date): Promise<string | null>;
}

/** Shared by all processes. */
export interface AssertionStore {
  /** Stores an assertion until it expires. Returns false if it was used before. */
  useAssertion(assertion: {
    readonly clientId: string;
    readonly jtiDigest: Buffer;
    readonly expiresAt: Date;
    readonly now: Date;
  }): Promise<boolean>;
}

export interface ReceiverLimits {
  /** Longest body in bytes, after inflating. */
  readonly bodyBytes: number;
  /** Per notification. */
  readonly orders: number;
  readonly backlogBytes: number;
  /** From authentication to the last byte of the body. */
  readonly bodyTimeoutMs: number;
  readonly readsPerSource: number;
}

export interface IncomingNotification {
  readonly id: string;
  readonly source: string;
  readonly receivedAt: Date;
  readonly body: Uint8Array;
  readonly digest: Buffer;
  readonly contentType: string | null;
  /** Why it is quarantined; null if usable. */
  readonly problem: NotificationProblem | null;
  /** Each order once; empty if quarantined. */
  readonly orders: readonly NotifiedOrder[];
  /** Identical bodies, at least 1. */
  readonly copies: number;
  /** The trace of its receipt, which what follows continues; absent without tracing. */
  readonly traceparent?: string | null;
}

/** `code` is stable; `path` points into the body (JSON Pointer, RFC 6901). */
export interface NotificationProblem {
  readonly code: string;
  readonly path: string;
  readonly message: string;
}

export type RecordingOutcome =
  | {
      readonly recorded: true;
      readonly notificationId: string;
      /** Receipts of these bytes from this source, copies included; 1 for a new notification. */
      readonly receipts: number;
    }
  | {
      readonly recorded: false;
      /** `refused`: the database can't store the content. `unavailable`: a later attempt may succeed. */
      readonly reason: "refused" | "unavailable";
      readonly error: unknown;
    };

export interface NotificationStore {
  /**
   * Commits the batch, receipts and due times of cases in one transaction; the outcomes have the batch's order. A row
   * that can't be stored alone gets `recorded: false`. Rejects if nothing could be committed. No two notifications of a
   * batch have the same source and digest.
   */
  recordBatch(batch: readonly IncomingNotification[]): Promise<readonly RecordingOutcome[]>;
}
