import type { JWK } from "jose";
import type { Secret } from "../kernel/secret.ts";

export interface ReceiverSource {
  readonly name: string;
  readonly authentication: SourceAuthentication;
  /** Whether to acknowledge an unusable body once it is quarantined, instead of responding with 400, 415 or 422. */
  readonly acknowledgeUnusable: boolean;
}

/** Any one of these ways is enough. Secrets may be given as hashes. */
export interface SourceAuthentication {
  /** Several passwords while rotating. */
  readonly basic?: { readonly username: string; readonly passwords: readonly Secret[] };
  readonly bearerTokens?: readonly Secret[];
  /** Whole Authorization values, for gateways that send neither a scheme nor base64. */
  readonly exactValues?: readonly Secret[];
  /** Access tokens of an authorization server. */
  readonly accessTokens?: AccessTokenRules;
  /** Access tokens of our own token endpoint: who may ask it for one, and what a token is good for. */
  readonly clients?: OAuthClients;
  /** Standard Webhooks secrets, `whsec_` and base64, never hashes; several while rotating. */
  readonly signingSecrets?: readonly Secret[];
}

/** Which access tokens of an authorization server a source accepts. It needs a JWKS, an introspection endpoint, or both. */
export interface AccessTokenRules {
  /** The exact `iss` of its tokens; null only with introspection, whose responses need not name one. */
  readonly issuer: string | null;
  /** One match is enough. */
  readonly audiences: readonly string[];
  readonly scopes: readonly string[];
  /** If set, its tokens are JWTs. */
  readonly jwksUrl: string | null;
  /** For tokens that are no JWTs, or all tokens without `jwksUrl` (RFC 7662). */
  readonly introspection: { readonly url: string; readonly clientId: string; readonly clientSecret: Secret } | null;
  readonly clockSkewSeconds: number;
  /** Whether JWTs must conform to RFC 9068: type `at+jwt` and all of its claims. */
  readonly requireProfile: boolean;
}

export interface OAuthClients {
  readonly clients: readonly OAuthClient[];
  /** Scopes that clients may request and that a token needs to push. At least one. */
  readonly scopes: readonly string[];
  readonly clockSkewSeconds: number;
}

/** Ids are unique over all sources. */
export interface OAuthClient {
  readonly id: string;
  /** In clear or as hashes; several while rotating. */
  readonly secrets: readonly Secret[];
  readonly publicKeys: readonly JWK[];
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

export interface NewSigningKey {
  readonly kid: string;
  readonly algorithm: "ES256";
  readonly publicJwk: JWK;
  /** The private JWK as JSON. Stored encrypted. */
  readonly privateJwk: Secret;
  readonly createdAt: Date;
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
  /** Of its receipt, for the trace of what follows; absent without tracing. */
  readonly traceparent?: string | null;
}

export interface NotifiedOrder {
  readonly orderId: string;
  readonly gdsBookingReferences: readonly string[];
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
