/** What became of an access token. */
export type TokenVerdict =
  | { readonly outcome: "accepted" }
  /** Malformed, unknown, expired, or not meant for this source. */
  | { readonly outcome: "invalid"; readonly reason: TokenFault }
  /** Valid, and not allowed to push. */
  | { readonly outcome: "insufficient-scope"; readonly scopes: readonly string[] }
  /** What would decide cannot be reached: neither a yes nor a no. */
  | { readonly outcome: "undecided"; readonly error: unknown };

/** Why a token is invalid: for the log, never for the caller, who might be guessing. */
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

/** Judges access tokens for one source. Rejects with `secret.too_many_candidates` when too many wait to be judged. */
export type VerifyAccessToken = (token: string) => Promise<TokenVerdict>;

/** What a token must say to be good for a source, however it was read. */
export interface TokenExpectation {
  readonly audiences: readonly string[];
  readonly scopes: readonly string[];
  readonly clockSkewSeconds: number;
}

/** The claims of an access token: of a JWT (RFC 9068) or of an introspection answer (RFC 7662). */
export type TokenClaims = Readonly<Record<string, unknown>>;

export function invalidToken(reason: TokenFault): TokenVerdict {
  return { outcome: "invalid", reason };
}

/**
 * Whether the claims, which somebody we trust vouches for, are good for the source: times first, then audience, and scope
 * last, because only a token that is valid in every other way may be told what it lacks.
 */
export function judgeClaims(claims: TokenClaims, expected: TokenExpectation, now: Date): TokenVerdict {
  const nowSeconds = now.getTime() / 1_000;
  const { exp, nbf } = claims;
  if (!isAbsentOrNumber(exp) || !isAbsentOrNumber(nbf)) return invalidToken("malformed");
  if (exp !== undefined && nowSeconds - expected.clockSkewSeconds >= exp) return invalidToken("expired");
  if (nbf !== undefined && nowSeconds + expected.clockSkewSeconds < nbf) return invalidToken("not-yet-valid");
  if (!readList(claims.aud).some((audience) => expected.audiences.includes(audience))) {
    return invalidToken("wrong-audience");
  }
  // `scp` is what some servers write in place of `scope`, as a list or in one string.
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

/**
 * Verifiers one after the other, until one knows the token; null when there are none. A token that nobody knows is
 * undecided when one of them could not tell, because that one may know it.
 */
export function acceptAnyOf(verifiers: readonly VerifyAccessToken[]): VerifyAccessToken | null {
  if (verifiers.length === 0) return null;
  return async (token) => {
    const refusals: TokenVerdict[] = [];
    for (const verify of verifiers) {
      const verdict = await verify(token);
      if (verdict.outcome === "accepted" || verdict.outcome === "insufficient-scope") return verdict;
      refusals.push(verdict);
    }
    const undecided = refusals.find((verdict) => verdict.outcome === "undecided");
    // "Not one of mine" says less than what the one whose token it is has to say.
    return undecided ?? refusals.find(isLogging) ?? refusals.at(-1) ?? invalidToken("unknown-token");
  };
}

function isLogging(verdict: TokenVerdict): boolean {
  return verdict.outcome === "invalid" && !notMine.has(verdict.reason);
}

const notMine: ReadonlySet<TokenFault> = new Set(["malformed", "wrong-issuer", "unknown-token"]);
