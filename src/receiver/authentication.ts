import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Request, Response } from "express";
import passport from "passport";
import { BasicStrategy as PassportBasicStrategy } from "passport-http";
import passportBearer, { type VerifyFunction } from "passport-http-bearer";
import { createSecretVerifier, type SecretVerifier } from "../kernel/secret-verifier.ts";
import type { SourceAuthentication } from "./ports.ts";

/** Whether a request comes from the source, and which ways it has to prove that. */
export type Authentication =
  | { readonly authenticated: true }
  /** One value of WWW-Authenticate for each way that the source accepts. */
  | { readonly authenticated: false; readonly challenges: readonly string[] };

/**
 * Looks at the Authorization header only. Rejects with AppError `secret.too_many_candidates` when credentials that are
 * not known to be right cannot be checked now.
 */
export type Authenticate = (request: Request, response: Response) => Promise<Authentication>;

/** One realm for all sources, so that an answer does not tell which of them exist. */
const realm = "skedchange";

/**
 * The authentication of one source: passport with one strategy for each way that it accepts.
 *
 * @throws AppError `secret.unusable` when a secret is empty or a hash is malformed.
 */
export async function createAuthenticate(ways: SourceAuthentication): Promise<Authenticate> {
  // An authenticator of its own for each source: passport's shared one has a single name space for strategies.
  const authenticator = new passport.Passport();
  const names: string[] = [];
  const add = (name: string, strategy: passport.Strategy): void => {
    // By name, never as an instance: passport writes a request's callbacks into an instance that it is handed, and a
    // second request would answer the first one.
    authenticator.use(name, strategy);
    names.push(name);
  };
  const { basic, bearerTokens = [], exactValues = [] } = ways;
  if (basic !== undefined) {
    add("basic", createBasicStrategy(basic.username, await createSecretVerifier(basic.passwords)));
  }
  if (bearerTokens.length > 0) add("bearer", createBearerStrategy(await createSecretVerifier(bearerTokens)));
  if (exactValues.length > 0) add("exact", createExactValueStrategy(await createSecretVerifier(exactValues)));

  return (request, response) =>
    new Promise((resolve, reject) => {
      const decided: passport.AuthenticateCallback = (error, user, challenges) => {
        if (error !== null && error !== undefined) reject(error);
        else if (user) resolve({ authenticated: true });
        else resolve({ authenticated: false, challenges: [challenges ?? []].flat().map(String) });
      };
      authenticator.authenticate(names, { session: false }, decided)(request, response, reject);
    });
}

/** A strategy as passport runs it: an object made from ours for one request, with the request's callbacks on it. */
type RunningStrategy = Pick<passport.StrategyCreatedStatic, "success" | "fail" | "error">;

/**
 * Basic, RFC 7617. The base class cuts a password at its second colon, never checks an empty one and answers malformed
 * credentials with a bare 400, so `authenticate` is replaced as a whole.
 */
function createBasicStrategy(username: string, passwords: SecretVerifier): passport.Strategy {
  const isUsername = createTextMatcher(username);
  const challenge = `Basic realm="${realm}", charset="UTF-8"`;

  class BasicStrategy extends PassportBasicStrategy {
    override authenticate(this: RunningStrategy, request: Request): void {
      const credentials = readBasicCredentials(request.headers.authorization);
      if (credentials === null) return this.fail(challenge);
      // Both are always checked, so that the time does not tell whether the user name was right.
      const nameMatches = isUsername(credentials.username);
      const matches = passwords.verify(credentials.password).then((passwordMatches) => nameMatches && passwordMatches);
      settle(this, matches, challenge);
    }
  }
  return new BasicStrategy({ realm }, neverAsked);
}

/**
 * Bearer, RFC 6750. The base class also takes tokens from the URL and from the body and answers a malformed header with
 * a bare 400, so `authenticate` is replaced as a whole.
 */
function createBearerStrategy(tokens: SecretVerifier): passport.Strategy {
  const challenge = `Bearer realm="${realm}"`;
  const invalidToken = `${challenge}, error="invalid_token", error_description="The token is malformed or not accepted here"`;

  class BearerStrategy extends passportBearer.Strategy<VerifyFunction> {
    override authenticate(this: RunningStrategy, request: Request): void {
      const credentials = /^Bearer(?: +(.*))?$/i.exec(request.headers.authorization ?? "");
      if (credentials === null) return this.fail(challenge);
      const token = credentials[1] ?? "";
      if (!/^[\x21-\x7e]+$/.test(token)) return this.fail(invalidToken);
      settle(this, tokens.verify(token), invalidToken);
    }
  }
  return new BearerStrategy({ realm }, neverAsked);
}

/** One whole value of the Authorization header, without a scheme: what some gateways of this family send. */
function createExactValueStrategy(values: SecretVerifier): passport.Strategy {
  // Every 401 must carry a challenge and this way has no registered name.
  const challenge = `Exact realm="${realm}"`;

  class ExactValueStrategy extends passport.Strategy {
    override authenticate(this: RunningStrategy, request: Request): void {
      const { authorization } = request.headers;
      if (authorization === undefined || authorization === "") return this.fail(challenge);
      // Node.js reads header bytes as Latin-1.
      settle(this, values.verify(Buffer.from(authorization, "latin1").toString("utf8")), challenge);
    }
  }
  return new ExactValueStrategy();
}

function settle(strategy: RunningStrategy, matches: Promise<boolean>, challenge: string): void {
  matches.then(
    (accepted) => (accepted ? strategy.success(caller) : strategy.fail(challenge)),
    (error: unknown) => strategy.error(error),
  );
}

/** Who a request comes from is its source, which the path says; passport only wants to hear of somebody. */
const caller: Express.User = {};

/** The base classes demand a function to verify with; what replaces their `authenticate` never calls it. */
function neverAsked(): void {}

/** User name and password of a Basic header, split at the first colon; null when it is no well-formed Basic header. */
export function readBasicCredentials(
  authorization: string | undefined,
): { readonly username: string; readonly password: string } | null {
  const encoded = /^Basic +([A-Za-z0-9+/_-]+={0,2})$/i.exec(authorization ?? "")?.[1];
  if (encoded === undefined) return null;
  let decoded: string;
  try {
    // Strict, so that two different byte sequences never count as the same password; and no byte is dropped.
    decoded = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.from(encoded, "base64"));
  } catch {
    return null;
  }
  const colon = decoded.indexOf(":");
  if (colon === -1) return null;
  return { username: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}

/** Compares texts of any length in constant time: their HMACs have the same length and cannot be predicted. */
function createTextMatcher(expected: string): (text: string) => boolean {
  const key = randomBytes(32);
  const fingerprintOf = (text: string): Buffer => createHmac("sha256", key).update(text, "utf8").digest();
  const expectedFingerprint = fingerprintOf(expected);
  return (text) => timingSafeEqual(fingerprintOf(text), expectedFingerprint);
}
