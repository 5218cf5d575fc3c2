export type TokenVerdict =
  | { readonly outcome: "accepted" }
  | { readonly outcome: "invalid"; readonly reason: TokenFault }
  | { readonly outcome: "insufficient-scope"; readonly scopes: readonly string[] }
  /** The server that decides is unreachable. */
  | { readonly outcome: "undecided"; readonly error: unknown };

/** For the log, never for the caller, who might be guessing. */
export type TokenFault =
  | "malformed"
  | "wrong-type"
  | "algorithm-not-allowed"
  | "critical-header"
  | "unknown-key"
  | "bad-signature"
  | "wrong-issuer"
  | "wrong-audience"
  | "expired"
  | "not-yet-valid"
  | "claim-missing"
  | "unknown-client"
  | "inactive"
  | "unknown-token";

/**
 * Rejects with `secret.too_many_candidates` if too many tokens wait for their check.
 * @param network of the caller, for fairness
 */
export type VerifyAccessToken = (token: string, network: string) => Promise<TokenVerdict>;

export interface TokenExpectation {
  readonly audiences: readonly string[];
  readonly scopes: readonly string[];
  readonly clockSkewSeconds: number;
}

/** JWT claims (RFC 9068) or an introspection response (RFC 7662). */
export type TokenClaims = Readonly<Record<string, unknown>>;

export function invalidToken(reason: TokenFault): TokenVerdict {
  return { outcome: "invalid", reason };
}

/** Checks times, audience, then scope, because only an otherwise valid token may learn what it lacks. */
export function judgeClaims(claims: TokenClaims, expected: TokenExpectation, now: Date): TokenVerdict {
  const nowSeconds = now.getTime() / 1_000;
  const { exp, nbf } = claims;
  if (!isAbsentOrNumber(exp) || !isAbsentOrNumber(nbf)) return invalidToken("malformed");
  if (exp !== undefined && nowSeconds - expected.clockSkewSeconds >= exp) return invalidToken("expired");
  if (nbf !== undefined && nowSeconds + expected.clockSkewSeconds < nbf) return invalidToken("not-yet-valid");
  if (!readList(claims.aud).some((audience) => expected.audiences.includes(audience))) {
    return invalidToken("wrong-audience");
  }
  // Some servers write `scp` instead of `scope`, as a list or in one string.
  const granted = new Set([claims.scope, claims.scp].flatMap(readList).flatMap((text) => text.split(" ")));
  if (!expected.scopes.every((scope) => granted.has(scope))) {
    return { outcome: "insufficient-scope", scopes: expected.scopes };
  }
  return { outcome: "accepted" };
}

function isAbsentOrNumber(value: unknown): value is number | undefined {
  return value === undefined || (typeof value === "number" && Number.isFinite(value));
}

function readList(value: unknown): readonly string[] {
  const members: readonly unknown[] = Array.isArray(value) ? value : [value];
  return members.filter((member) => typeof member === "string");
}

/** Returns null without verifiers. An unknown token is undecided if one verifier could not decide. */
export function acceptAnyOf(verifiers: readonly VerifyAccessToken[]): VerifyAccessToken | null {
  if (verifiers.length === 0) return null;
  return async (token, network) => {
    const refusals: TokenVerdict[] = [];
    for (const verify of verifiers) {
      const verdict = await verify(token, network);
      if (verdict.outcome === "accepted" || verdict.outcome === "insufficient-scope") return verdict;
      refusals.push(verdict);
    }
    const undecided = refusals.find((verdict) => verdict.outcome === "undecided");
    return undecided ?? refusals.find(isLogging) ?? refusals.at(-1) ?? invalidToken("unknown-token");
  };
}

function isLogging(verdict: TokenVerdict): boolean {
  return verdict.outcome === "invalid" && !notMine.has(verdict.reason);
}

const notMine: ReadonlySet<TokenFault> = new Set(["malformed", "wrong-issuer", "unknown-token"]);
