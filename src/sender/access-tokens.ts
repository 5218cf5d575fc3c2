import { digestOfValue } from "../kernel/digest.ts";
import type { Secret } from "../kernel/secret.ts";
import type { OAuthAuthorization } from "./ports.ts";
import { requestToken, type TokenFailure, type TokenRequestOptions } from "./token-request.ts";

export type TokenOutcome =
  | { readonly kind: "granted"; readonly token: Secret }
  | { readonly kind: "failed"; readonly failure: TokenFailure };

/**
 * The access tokens of recipients with OAuth, in the memory of this process and nowhere else. Each process asks for its
 * own: a token costs one request in its lifetime, and a shared one would have to be stored.
 */
export interface AccessTokens {
  /**
   * The token of a recipient: the one in use, or a new one when there is none, when it is about to expire, or when the
   * credential has changed. Whoever asks while a token is being fetched waits for that one. Never rejects. A failure is
   * not remembered: the next one who asks tries again.
   */
  get(recipientId: string, authorization: OAuthAuthorization): Promise<TokenOutcome>;
  /** Forgets the token, unless another one has taken its place. */
  drop(recipientId: string, token: Secret): void;
}

export interface AccessTokensOptions extends TokenRequestOptions {
  /** A number in [0, 1). */
  readonly random: () => number;
}

/** A token is renewed this long before it expires, or a fifth of its lifetime when that is less. */
const renewalMarginMs = 60_000;
const renewalShare = 0.2;

export function createAccessTokens(options: AccessTokensOptions): AccessTokens {
  const { clock, random } = options;
  const entries = new Map<string, Entry>();

  return {
    get(recipientId, authorization) {
      const version = versionOf(authorization);
      const entry = entries.get(recipientId);
      const isUsable = entry?.version === version && clock.now().getTime() < entry.usableUntilMs;
      return isUsable ? entry.outcome : renew(recipientId, version, authorization);
    },

    drop(recipientId, token) {
      if (entries.get(recipientId)?.token === token) entries.delete(recipientId);
    },
  };

  function renew(recipientId: string, version: string, authorization: OAuthAuthorization): Promise<TokenOutcome> {
    const nowMs = clock.now().getTime();
    // Recipients that are not delivered to any more leave nothing behind.
    for (const [id, entry] of entries) if (entry.usableUntilMs <= nowMs) entries.delete(id);

    const entry: Entry = { version, token: null, usableUntilMs: Number.POSITIVE_INFINITY, outcome: fetchToken() };
    entries.set(recipientId, entry);
    return entry.outcome;

    async function fetchToken(): Promise<TokenOutcome> {
      const answer = await requestToken(authorization, options);
      if (answer.kind === "failed") {
        // A changed credential may have its own request under way in this place.
        if (entries.get(recipientId) === entry) entries.delete(recipientId);
        return answer;
      }
      entry.token = answer.token;
      // Counted from before the request: that is never later than when the server began to count.
      entry.usableUntilMs = nowMs + answer.lifetimeMs - marginMs(answer.lifetimeMs, random());
      return { kind: "granted", token: answer.token };
    }
  }
}

interface Entry {
  /** Of the credential that it belongs to. */
  readonly version: string;
  /** Null while it is being fetched. */
  token: Secret | null;
  usableUntilMs: number;
  readonly outcome: Promise<TokenOutcome>;
}

/** Half of the margin at least, and the rest by chance, so that processes do not renew in step. */
function marginMs(lifetimeMs: number, random: number): number {
  return Math.min(renewalMarginMs, lifetimeMs * renewalShare) * (0.5 + 0.5 * random);
}

/** Tells credentials apart without keeping them: a secret that was rotated must not go on with the old token. */
function versionOf(authorization: OAuthAuthorization): string {
  return digestOfValue({ ...authorization, clientSecret: authorization.clientSecret.reveal() });
}
