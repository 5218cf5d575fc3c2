import { digestOfValue } from "../kernel/digest.ts";
import type { Secret } from "../kernel/secret.ts";
import type { OAuthAuthorization } from "./ports.ts";
import { requestToken, type TokenFailure, type TokenRequestOptions } from "./token-request.ts";

export type TokenOutcome =
  | { readonly kind: "granted"; readonly token: Secret }
  | { readonly kind: "failed"; readonly failure: TokenFailure };

/** In memory only: each process requests its own. */
export interface AccessTokens {
  /** Never rejects; concurrent callers share one request, and failures are not cached. */
  get(recipientId: string, authorization: OAuthAuthorization): Promise<TokenOutcome>;
  drop(recipientId: string, token: Secret): void;
}

export interface AccessTokensOptions extends TokenRequestOptions {
  /** In [0, 1). */
  readonly random: () => number;
}

/** A token is renewed this long before its expiry, or a fifth of its lifetime if that is less. */
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
    for (const [id, entry] of entries) if (entry.usableUntilMs <= nowMs) entries.delete(id);

    const entry: Entry = { version, token: null, usableUntilMs: Number.POSITIVE_INFINITY, outcome: fetchToken() };
    entries.set(recipientId, entry);
    return entry.outcome;

    async function fetchToken(): Promise<TokenOutcome> {
      const response = await requestToken(authorization, options);
      if (response.kind === "failed") {
        // A changed credential may have replaced it.
        if (entries.get(recipientId) === entry) entries.delete(recipientId);
        return response;
      }
      entry.token = response.token;
      // Counted from before the request, so never later than the server counts.
      entry.usableUntilMs = nowMs + response.lifetimeMs - marginMs(response.lifetimeMs, random());
      return { kind: "granted", token: response.token };
    }
  }
}

interface Entry {
  readonly version: string;
  token: Secret | null;
  usableUntilMs: number;
  readonly outcome: Promise<TokenOutcome>;
}

/** At least half of the margin, the rest random, so that processes do not renew together. */
function marginMs(lifetimeMs: number, random: number): number {
  return Math.min(renewalMarginMs, lifetimeMs * renewalShare) * (0.5 + 0.5 * random);
}

/** A digest, so that a token is not used after its secret was rotated. */
function versionOf(authorization: OAuthAuthorization): string {
  return digestOfValue({ ...authorization, clientSecret: authorization.clientSecret.reveal() });
}
