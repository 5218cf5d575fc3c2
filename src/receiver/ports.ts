import type { Secret } from "../kernel/secret.ts";

/** A gateway account that pushes to us, as the receiver knows it. */
export interface ReceiverSource {
  /** The last part of its path, `/ocn/<name>`. */
  readonly name: string;
  readonly authentication: SourceAuthentication;
  /** Whether an unusable body is acknowledged once it is quarantined, instead of answered with 400 or 422. */
  readonly acknowledgeUnusable: boolean;
}

/** The ways in which a source may prove who it is; any one of them is enough. Secrets may be given as their hashes. */
export interface SourceAuthentication {
  /** User name and password. Several passwords, so that they can be rotated. */
  readonly basic?: { readonly username: string; readonly passwords: readonly Secret[] };
  readonly bearerTokens?: readonly Secret[];
  /** Whole values of the Authorization header, for gateways that send neither a scheme nor base64. */
  readonly exactValues?: readonly Secret[];
}

/** Bounds of what the receiver takes. */
export interface ReceiverLimits {
  /** Longest body in bytes, after inflating. */
  readonly bodyBytes: number;
  /** Bytes of bodies that may wait for their commit, in this process. */
  readonly backlogBytes: number;
  /** Time for the whole body, from the answer to its credentials to its last byte. */
  readonly bodyTimeoutMs: number;
  /** Requests of one source whose bodies are being read at the same time. */
  readonly readsPerSource: number;
}

/** What the receiver hands over to be kept. */
export interface IncomingNotification {
  readonly id: string;
  readonly source: string;
  readonly receivedAt: Date;
  /** The body after inflating, byte for byte. */
  readonly body: Uint8Array;
  /** SHA-256 of the body. */
  readonly digest: Buffer;
  readonly contentType: string | null;
  /** Null when it is a usable notification; otherwise why it is quarantined. */
  readonly problem: NotificationProblem | null;
  /** The orders it speaks of, each once; empty when it is quarantined. */
  readonly orders: readonly NotifiedOrder[];
  /** How many identical bodies this one stands for, at least 1. */
  readonly copies: number;
}

export interface NotifiedOrder {
  readonly orderId: string;
  readonly gdsBookingReferences: readonly string[];
}

/** Why a body is no usable notification: `code` is stable, `path` points into the body (JSON Pointer, RFC 6901). */
export interface NotificationProblem {
  readonly code: string;
  readonly path: string;
  readonly message: string;
}

/** What became of one notification of a batch. */
export type RecordingOutcome =
  | {
      readonly recorded: true;
      /** The notification that holds these bytes: the new one, or the one that was there. */
      readonly notificationId: string;
      /** How often these bytes have been received from this source, the copies included; 1 for a new notification. */
      readonly receipts: number;
    }
  | {
      readonly recorded: false;
      /** `refused`: the database cannot hold what this one says. `unavailable`: the same may be recorded later. */
      readonly reason: "refused" | "unavailable";
      readonly error: unknown;
    };

/** Where notifications are kept. */
export interface NotificationStore {
  /**
   * Commits all notifications of the batch in one transaction, with their receipts and the due times of the cases of
   * their orders, and answers one outcome for each, in the order given. When one row cannot be stored, that row alone
   * has `recorded: false`. Rejects when nothing could be committed (the database is away).
   *
   * No two notifications of a batch have the same source and digest.
   */
  recordBatch(batch: readonly IncomingNotification[]): Promise<readonly RecordingOutcome[]>;
}
