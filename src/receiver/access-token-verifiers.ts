import type { Clock } from "../kernel/clock.ts";
import type { RecognisedCredentials } from "../kernel/recognised-credentials.ts";
import type { VerifyAccessToken } from "./access-token.ts";
import type { AccessTokenVerifiers } from "./authentication.ts";
import type { AuthorizationServerClient } from "./authorization-server-client.ts";
import { createIntrospectionVerifier } from "./introspection.ts";
import { createJwtVerifier, isJwt } from "./jwt-access-token.ts";
import { createRemoteKeySets, type KeySets, type KeySetTimings } from "./key-sets.ts";
import type { AccessTokenRules, ReceiverSource } from "./ports.ts";

export interface AccessTokenContext {
  readonly client: AuthorizationServerClient;
  readonly clock: Clock;
  readonly recognised: RecognisedCredentials;
  readonly keySetTimings: KeySetTimings;
  /** Returns null if the source has no clients at our token endpoint. */
  readonly verifyOwn: (source: ReceiverSource) => VerifyAccessToken | null;
}

/** Sources with the same JWKS share its keys. */
export function createVerifierMaker(context: AccessTokenContext): (source: ReceiverSource) => AccessTokenVerifiers {
  const keySets = new Map<string, KeySets>();
  const keySetsOf = (url: string): KeySets => {
    const known = keySets.get(url) ?? createRemoteKeySets(url, context.client, context.clock, context.keySetTimings);
    keySets.set(url, known);
    return known;
  };

  return (source) => {
    const trust = source.authentication.accessTokens;
    const own = context.verifyOwn(source);
    const foreign = trust === undefined ? null : verifyByKeys(trust);
    const asking = trust === undefined ? null : verifyByAsking(trust);
    return {
      local: [own, foreign].filter((verifier) => verifier !== null),
      remote: [asking].filter((verifier) => verifier !== null),
    };
  };

  function verifyByKeys(trust: AccessTokenRules): VerifyAccessToken | null {
    const { issuer, jwksUrl } = trust;
    if (issuer === null || jwksUrl === null) return null;
    return createJwtVerifier({ ...trust, issuer: () => issuer, keys: keySetsOf(jwksUrl) }, context.clock);
  }

  function verifyByAsking(trust: AccessTokenRules): VerifyAccessToken | null {
    if (trust.introspection === null) return null;
    const verify = createIntrospectionVerifier({ ...trust, ...trust.introspection }, context);
    if (trust.jwksUrl === null) return verify;
    // A JWT that was refused by its keys must not be accepted by introspection.
    return async (token, network) =>
      isJwt(token) ? { outcome: "invalid", reason: "unknown-token" } : await verify(token, network);
  }
}
