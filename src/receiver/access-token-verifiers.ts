import type { Clock } from "../kernel/clock.ts";
import type { RecognisedCredentials } from "../kernel/recognised-credentials.ts";
import type { Secret } from "../kernel/secret.ts";
import type { TokenExpectation, VerifyAccessToken } from "./access-token.ts";
import type { AuthorizationServerClient } from "./authorization-server-client.ts";
import { createIntrospectionVerifier } from "./introspection.ts";
import { createJwtVerifier, isJwt } from "./jwt-access-token.ts";
import { createRemoteKeySets, type KeySets, type KeySetTimings } from "./key-sets.ts";

/** Which access tokens of an authorization server a source accepts. It needs a JWKS, an introspection endpoint, or both. */
export interface AccessTokenRules extends TokenExpectation {
  /** The exact `iss` of its tokens; null only with introspection, whose responses need not name one. */
  readonly issuer: string | null;
  /** If set, its tokens are JWTs. */
  readonly jwksUrl: string | null;
  /** For tokens that are no JWTs, or all tokens without `jwksUrl` (RFC 7662). */
  readonly introspection: { readonly url: string; readonly clientId: string; readonly clientSecret: Secret } | null;
  /** Whether JWTs must conform to RFC 9068: type `at+jwt` and all of its claims. */
  readonly requireProfile: boolean;
}

/** Each returns null if a source has no such tokens. */
export interface TokenVerifiers {
  /** Returns the check of tokens from our own token endpoint. */
  ofOurOwn(source: string): VerifyAccessToken | null;
  byKeys(rules: AccessTokenRules): VerifyAccessToken | null;
  /** Asks another server, which thereby learns the token. */
  byIntrospection(rules: AccessTokenRules): VerifyAccessToken | null;
}

/** Sources with the same JWKS share its keys. */
export function createTokenVerifiers(context: {
  readonly client: AuthorizationServerClient;
  readonly clock: Clock;
  readonly recognised: RecognisedCredentials;
  readonly keySetTimings: KeySetTimings;
  readonly ofOurOwn: TokenVerifiers["ofOurOwn"];
}): TokenVerifiers {
  const keySets = new Map<string, KeySets>();
  const keySetsOf = (url: string): KeySets => {
    const known = keySets.get(url) ?? createRemoteKeySets(url, context.client, context.clock, context.keySetTimings);
    keySets.set(url, known);
    return known;
  };

  return {
    ofOurOwn: context.ofOurOwn,

    byKeys(rules) {
      const { issuer, jwksUrl } = rules;
      if (issuer === null || jwksUrl === null) return null;
      return createJwtVerifier({ ...rules, issuer: () => issuer, keys: keySetsOf(jwksUrl) }, context.clock);
    },

    byIntrospection(rules) {
      if (rules.introspection === null) return null;
      const verify = createIntrospectionVerifier({ ...rules, ...rules.introspection }, context);
      if (rules.jwksUrl === null) return verify;
      // A JWT that was refused by its keys must not be accepted by introspection.
      return async (token, network) =>
        isJwt(token) ? { outcome: "invalid", reason: "unknown-token" } : await verify(token, network);
    },
  };
}
