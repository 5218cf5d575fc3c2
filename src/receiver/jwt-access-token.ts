import { type CryptoKey, compactVerify, decodeJwt, decodeProtectedHeader, errors } from "jose";
import type { Clock } from "../kernel/clock.ts";
import {
  invalidToken,
  judgeClaims,
  type TokenClaims,
  type TokenExpectation,
  type TokenVerdict,
  type VerifyAccessToken,
} from "./access-token.ts";
import type { KeySets } from "./key-sets.ts";

export interface JwtTrust extends TokenExpectation {
  /** The exact `iss`. A function, because ours may be known only once we listen. */
  readonly issuer: () => string;
  readonly keys: KeySets;
  /** Whether to require RFC 9068: type `at+jwt` and all claims of section 2.2. */
  readonly requireProfile: boolean;
  readonly acceptsClient?: (clientId: unknown) => boolean;
}

/** Asymmetric only: no `none`, and no HMAC, for which a public key would be the secret. */
const algorithms: ReadonlySet<string> = new Set([
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
  ...["ES256", "ES384", "ES512", "EdDSA", "Ed25519"],
]);

/** RFC 9068 section 2.2. */
const profileClaims = ["iss", "exp", "aud", "sub", "client_id", "iat", "jti"] as const;

/**
 * The header only selects among trusted keys: `jwk`, `jku`, `x5c` and `x5u` are ignored, and `crit` is refused.
 * @see RFC 9068 section 4, RFC 8725
 */
export function createJwtVerifier(trust: JwtTrust, clock: Clock): VerifyAccessToken {
  return async (token) => {
    const parts = readJwt(token);
    if (parts === null) return invalidToken("malformed");
    const { alg, kid, typ, crit } = parts.header;
    if (typeof alg !== "string" || !algorithms.has(alg)) return invalidToken("algorithm-not-allowed");
    if (crit !== undefined) return invalidToken("critical-header");
    if (!isAcceptedType(typ, trust.requireProfile)) return invalidToken("wrong-type");
    if (kid !== undefined && typeof kid !== "string") return invalidToken("malformed");
    // Checked before keys are loaded, so that tokens of other servers cause no fetch.
    if (parts.claims.iss !== trust.issuer()) return invalidToken("wrong-issuer");

    const finding = await trust.keys.find(kid === undefined ? { alg } : { alg, kid });
    if (finding.outcome === "unavailable") return { outcome: "undecided", error: finding.error };
    if (finding.outcome === "none") return invalidToken("unknown-key");
    const isSigned = await isSignedByAny(token, finding.keys, alg);
    return isSigned ? judge(parts.claims, trust, clock.now()) : invalidToken("bad-signature");
  };
}

export function isJwt(token: string): boolean {
  return readJwt(token) !== null;
}

/** Returns the unverified header and claims of a compact JWT, or null. */
function readJwt(token: string): { readonly header: TokenClaims; readonly claims: TokenClaims } | null {
  if (!/^[\w-]+\.[\w-]+\.[\w-]*$/.test(token)) return null;
  try {
    return { header: { ...decodeProtectedHeader(token) }, claims: decodeJwt(token) };
  } catch {
    return null;
  }
}

function isAcceptedType(typ: unknown, requireProfile: boolean): boolean {
  if (typ === undefined) return !requireProfile;
  if (typeof typ !== "string") return false;
  const name = typ.toLowerCase().replace(/^application\//, "");
  return name === "at+jwt" || (name === "jwt" && !requireProfile);
}

async function isSignedByAny(token: string, keys: readonly CryptoKey[], alg: string): Promise<boolean> {
  for (const key of keys) {
    try {
      await compactVerify(token, key, { algorithms: [alg] });
      return true;
    } catch (error) {
      // An unsuitable key verifies nothing; the next one may.
      if (!(error instanceof errors.JOSEError) && !(error instanceof TypeError)) throw error;
    }
  }
  return false;
}

function judge(claims: TokenClaims, trust: JwtTrust, now: Date): TokenVerdict {
  const demanded: readonly string[] = trust.requireProfile ? profileClaims : ["exp", "aud"];
  if (demanded.some((name) => claims[name] === undefined)) return invalidToken("claim-missing");
  if (trust.acceptsClient?.(claims.client_id) === false) return invalidToken("unknown-client");
  return judgeClaims(claims, trust, now);
}
