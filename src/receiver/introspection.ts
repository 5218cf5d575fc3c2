import { createCheckQueue } from "../kernel/check-queue.ts";
import type { Clock } from "../kernel/clock.ts";
import { createFingerprint } from "../kernel/fingerprint.ts";
import type { Secret } from "../kernel/secret.ts";
import {
  invalidToken,
  judgeClaims,
  type TokenClaims,
  type TokenExpectation,
  type TokenVerdict,
  type VerifyAccessToken,
} from "./access-token.ts";
import type { AuthorizationServerClient } from "./authorization-server-client.ts";

export interface IntrospectionTrust extends TokenExpectation {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: Secret;
  readonly issuer: string | null;
}

/** A revoked token works for at most this long. */
const rememberedMs = 60_000;

/** Short, because a refused token may become valid (servers replicate) and senders retry soon. */
const refusalRememberedMs = 5_000;

const rememberedMax = 1_000;

/**
 * RFC 7662. Caches responses under an HMAC of the token; requests with the same token share one response. Limits
 * concurrency; beyond it the result is undecided with `secret.too_many_candidates`.
 */
export function createIntrospectionVerifier(
  trust: IntrospectionTrust,
  client: AuthorizationServerClient,
  clock: Clock,
): VerifyAccessToken {
  const fingerprintOf = createFingerprint();
  const remembered = new Map<string, { readonly claims: TokenClaims; readonly until: number }>();
  const asking = new Map<string, Promise<TokenClaims>>();
  const queue = createCheckQueue({ running: 8, waiting: 64 });

  async function ask(token: string, name: string, network: string): Promise<TokenClaims> {
    const form = { token, token_type_hint: "access_token" };
    const credentials = { id: trust.clientId, secret: trust.clientSecret.reveal() };
    const post = async (): Promise<TokenClaims> => {
      const body = await client.postForm(trust.url, form, credentials);
      return body !== null && typeof body === "object" ? { ...body } : {};
    };
    const claims = await queue.run(network, post, ({ active }) => active === true);
    remember(name, claims);
    return claims;
  }

  function remember(name: string, claims: TokenClaims): void {
    const now = clock.now().getTime();
    const expiresAt = typeof claims.exp === "number" ? claims.exp * 1_000 : Number.POSITIVE_INFINITY;
    const until = claims.active === true ? Math.min(now + rememberedMs, expiresAt) : now + refusalRememberedMs;
    remembered.delete(name);
    remembered.set(name, { claims, until });
    const [oldest] = remembered.keys();
    if (remembered.size > rememberedMax && oldest !== undefined) remembered.delete(oldest);
  }

  async function read(token: string, network: string): Promise<TokenClaims> {
    const name = fingerprintOf(token).toString("base64");
    const known = remembered.get(name);
    if (known !== undefined && clock.now().getTime() < known.until) return known.claims;
    let pending = asking.get(name);
    if (pending === undefined) {
      pending = ask(token, name, network).finally(() => asking.delete(name));
      asking.set(name, pending);
    }
    return await pending;
  }

  return async (token, network) => {
    try {
      return judge(await read(token, network), trust, clock.now());
    } catch (error) {
      return { outcome: "undecided", error };
    }
  };
}

function judge(claims: TokenClaims, trust: IntrospectionTrust, now: Date): TokenVerdict {
  if (claims.active !== true) return invalidToken("inactive");
  if (trust.issuer !== null && claims.iss !== undefined && claims.iss !== trust.issuer) {
    return invalidToken("wrong-issuer");
  }
  // Without `aud`, a token for any of the server's resources would be valid here.
  return judgeClaims(claims, trust, now);
}
