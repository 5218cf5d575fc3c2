import type { JWK } from "jose";
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
  /** Access tokens of an authorization server. */
  readonly accessTokens?: AccessTokenRules;
  /** Access tokens of our own token endpoint: who may ask it for one, and what a token is good for. */
  readonly clients?: OAuthClients;
  /** Secrets of Standard Webhooks, `whsec_` and base64. Several, so that they can be rotated. Never hashes. */
  readonly signingSecrets?: readonly Secret[];
}

/** Which access tokens of an authorization server a source accepts. It needs a JWKS, an introspection endpoint, or both. */
export interface AccessTokenRules {
  /** The exact `iss` of its tokens; null only with introspection, whose answers need not name one. */
  readonly issuer: string | null;
  /** Accepted values of `aud`; one is enough. */
  readonly audiences: readonly string[];
  /** Scopes that a token must have, all of them. */
  readonly scopes: readonly string[];
  /** Where its public keys are: its tokens are then JWTs. */
  readonly jwksUrl: string | null;
  /** Where tokens that are no JWTs, or all tokens without `jwksUrl`, are asked about (RFC 7662). */
  readonly introspection: { readonly url: string; readonly clientId: string; readonly clientSecret: Secret } | null;
  /** How far clocks may differ. */
  readonly clockSkewSeconds: number;
  /** Whether JWTs must keep to RFC 9068: type `at+jwt` and all of its claims. */
  readonly requireProfile: boolean;
}

/** The clients of one source at our own token endpoint. */
export interface OAuthClients {
  readonly clients: readonly OAuthClient[];
  /** Scopes that they may ask for, and that a token must have to push. At least one. */
  readonly scopes: readonly string[];
  readonly clockSkewSeconds: number;
}

/** Who may ask for access tokens. Ids are unique over all sources. */
export interface OAuthClient {
  readonly id: string;
  /** In clear or as hashes; several, so that they can be rotated. */
  readonly secrets: readonly Secret[];
  /** Public keys of `private_key_jwt`. */
  readonly publicKeys: readonly JWK[];
}

/** A key of our own token endpoint, as everybody may see it. */
export interface SigningKey {
  /** RFC 7638 thumbprint. */
  readonly kid: string;
  readonly algorithm: "ES256";
  readonly publicJwk: JWK;
  readonly createdAt: Date;
  /** When it stopped signing; null for the one that signs. */
  readonly retiredAt: Date | null;
  /** Until when tokens signed with it may be valid; null for the one that signs. */
  readonly publishedUntil: Date | null;
}

/** A key with its private half, which is kept sealed. */
export interface NewSigningKey {
  readonly kid: string;
  readonly algorithm: "ES256";
  readonly publicJwk: JWK;
  /** The private JWK as JSON. */
  readonly privateJwk: Secret;
  readonly createdAt: Date;
}

/** Where the keys of our own token endpoint are kept, for all processes. Every method rejects when the database is away. */
export interface SigningKeyStore {
  /** The keys that may verify a token now, the one that signs first; empty before the first one is made. */
  listPublishedKeys(now: Date): Promise<readonly SigningKey[]>;
  /** The key that signs; null before the first one is made. */
  readSigningKey(): Promise<{ readonly kid: string; readonly privateJwk: Secret } | null>;
  /** Adds the first key. When there is one already, also by another process at the same moment, nothing happens. */
  addFirstKey(key: NewSigningKey): Promise<void>;
  /** Makes this key sign and retires the one that did, whose private half is wiped. Answers the retired key's id. */
  rotateKey(key: NewSigningKey, retiredPublishedUntil: Date): Promise<string | null>;
}

/** Where used client assertions are remembered, for all processes. */
export interface AssertionStore {
  /** Remembers an assertion until it expires. False when it was used before. */
  useAssertion(assertion: {
    readonly clientId: string;
    /** SHA-256 of its `jti`. */
    readonly jtiDigest: Buffer;
    readonly expiresAt: Date;
    readonly now: Date;
  }): Promise<boolean>;
}

/** Bounds of what the receiver takes. */
export interface ReceiverLimits {
  /** Longest body in bytes, after inflating. */
  readonly bodyBytes: number;
  /** Orders that one notification may name. */
  readonly orders: number;
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
