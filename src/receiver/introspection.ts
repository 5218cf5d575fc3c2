import { AppError } from "../kernel/app-error.ts";
import { createCheckQueue, tooManyCandidates } from "../kernel/check-queue.ts";
import type { Clock } from "../kernel/clock.ts";
import { createFingerprint } from "../kernel/fingerprint.ts";
import { createMinuteLimit } from "../kernel/minute-limit.ts";
import type { RecognisedCredentials } from "../kernel/recognised-credentials.ts";
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

export interface IntrospectionContext {
  readonly client: AuthorizationServerClient;
  readonly clock: Clock;
  readonly recognised: RecognisedCredentials;
}

/** A revoked token works for at most this long. */
const rememberedMs = 60_000;

/** Short, because a refused token may become valid (servers replicate) and senders retry soon. */
const refusalRememberedMs = 5_000;

/** How many of each kind are remembered: counted apart, so that refused tokens never displace active ones. */
const rememberedMax = 1_000;

/** About tokens that were never active: of networks whose last token was active, and of all others together. */
const questionsPerMinute = 600;

/**
 * RFC 7662. Caches responses under an HMAC of the token; requests with the same token share one response. Tokens that
 * were active before are asked about at once, whoever else asks. Questions about others are bounded, at a time and a
 * minute; beyond it the result is undecided with `secret.too_many_candidates`.
 */
export function createIntrospectionVerifier(
  trust: IntrospectionTrust,
  { client, clock, recognised }: IntrospectionContext,
): VerifyAccessToken {
  const fingerprintOf = createFingerprint();
  const active = createResponses(clock);
  const refused = createResponses(clock);
  const asking = new Map<string, Promise<TokenClaims>>();
  const askedBefore = createCheckQueue({ running: 8, waiting: 64 });
  const unknown = createCheckQueue({ running: 8, waiting: 64 });
  const questions = createMinuteLimit(questionsPerMinute, clock);
  const checkedBy = `${trust.clientId} ${trust.url}`;

  async function ask(token: string, name: string, network: string): Promise<TokenClaims> {
    const wasActive = await recognised.includes(checkedBy, token);
    const claims = await (wasActive
      ? askedBefore.run(network, () => post(token), isActive)
      : unknown.run(network, () => postUnknown(token, network), isActive));
    const now = clock.now().getTime();
    if (!isActive(claims)) {
      refused.remember(name, claims, now + refusalRememberedMs);
      return claims;
    }
    if (!wasActive) recognised.add(checkedBy, token);
    const expiresAt = typeof claims.exp === "number" ? claims.exp * 1_000 : Number.POSITIVE_INFINITY;
    active.remember(name, claims, Math.min(now + rememberedMs, expiresAt));
    return claims;
  }

  async function postUnknown(token: string, network: string): Promise<TokenClaims> {
    const waitSeconds = questions.count(unknown.isProven(network) ? "of proven networks" : "of others");
    if (waitSeconds === null) return await post(token);
    throw new AppError(tooManyCandidates, "Too many unknown tokens were asked about. Try again shortly.", {
      retryable: true,
    });
  }

  async function post(token: string): Promise<TokenClaims> {
    const form = { token, token_type_hint: "access_token" };
    const credentials = { id: trust.clientId, secret: trust.clientSecret.reveal() };
    const body = await client.postForm(trust.url, form, credentials);
    return body !== null && typeof body === "object" ? { ...body } : {};
  }

  async function read(token: string, network: string): Promise<TokenClaims> {
    const name = fingerprintOf(token).toString("base64");
    const known = active.find(name) ?? refused.find(name);
    if (known !== null) return known;
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

function isActive(claims: TokenClaims): boolean {
  return claims.active === true;
}

/** The newest responses, each until its time has passed. */
function createResponses(clock: Clock) {
  const responses = new Map<string, { readonly claims: TokenClaims; readonly until: number }>();
  return {
    find(name: string): TokenClaims | null {
      const response = responses.get(name);
      return response !== undefined && clock.now().getTime() < response.until ? response.claims : null;
    },
    remember(name: string, claims: TokenClaims, until: number): void {
      responses.delete(name);
      responses.set(name, { claims, until });
      const [oldest] = responses.keys();
      if (responses.size > rememberedMax && oldest !== undefined) responses.delete(oldest);
    },
  };
}

function judge(claims: TokenClaims, trust: IntrospectionTrust, now: Date): TokenVerdict {
  if (!isActive(claims)) return invalidToken("inactive");
  if (trust.issuer !== null && claims.iss !== undefined && claims.iss !== trust.issuer) {
    return invalidToken("wrong-issuer");
  }
  // Without `aud`, a token for any of the server's resources would be valid here.
  return judgeClaims(claims, trust, now);
}
