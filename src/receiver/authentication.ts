import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Request, Response } from "express";
import passport from "passport";
import { BasicStrategy as PassportBasicStrategy } from "passport-http";
import passportBearer, { type VerifyFunction } from "passport-http-bearer";
import { readBasicCredentials } from "../http/basic-credentials.ts";
import { AppError, codeOf } from "../kernel/app-error.ts";
import { createSecretVerifier, type SecretVerifier, tooManyCandidates } from "../kernel/secret-verifier.ts";
import { acceptAnyOf, type TokenFault, type TokenVerdict, type VerifyAccessToken } from "./access-token.ts";
import type { SourceAuthentication } from "./ports.ts";
import { receiverErrors } from "./receiver-problems.ts";

/** Whether a request comes from the source, and which ways it has to prove that. */
export type Authentication =
  | { readonly authenticated: true }
  | {
      readonly authenticated: false;
      /** `unauthorized`: not proved. `insufficient-scope`: proved, by a token that is not allowed to push. */
      readonly refusal: "unauthorized" | "insufficient-scope";
      /** Values of WWW-Authenticate: one for each way that the source accepts, or the one that lacks a scope. */
      readonly challenges: readonly string[];
      /** Why a token was refused: for the log only. */
      readonly tokenFault: TokenFault | null;
    };

/**
 * Looks at the Authorization header only. Rejects with AppError `secret.too_many_candidates` when credentials that are
 * not known to be right cannot be checked now, and with `receiver.token_undecided` when whoever knows cannot be asked.
 */
export type Authenticate = (request: Request, response: Response) => Promise<Authentication>;

/** One realm for all sources, so that an answer does not tell which of them exist. */
const realm = "skedchange";

/** What a source that takes signatures lists beside its other challenges; the way has no registered name. */
export const signatureChallenge = `StandardWebhooks realm="${realm}"`;

/** What is needed to judge the Authorization header of one source. */
export interface HeaderCredentials extends Pick<SourceAuthentication, "basic" | "bearerTokens" | "exactValues"> {
  /** Judge the access tokens of this source. */
  readonly accessTokens?: AccessTokenVerifiers;
}

export interface AccessTokenVerifiers {
  /** Decide by a signature, on this machine. */
  readonly local: readonly VerifyAccessToken[];
  /** Decide by asking somebody, who is thereby told the token. */
  readonly remote: readonly VerifyAccessToken[];
}

/**
 * The authentication of one source: passport with one strategy for each way that it accepts.
 *
 * @throws AppError `secret.unusable` when a secret is empty or a hash is malformed.
 */
export function createAuthenticate(ways: HeaderCredentials): Authenticate {
  // An authenticator of its own for each source: passport's shared one has a single name space for strategies.
  const authenticator = new passport.Passport();
  const names: string[] = [];
  const add = (name: string, strategy: passport.Strategy): void => {
    // By name, never as an instance: passport writes a request's callbacks into an instance that it is handed, and a
    // second request would answer the first one.
    authenticator.use(name, strategy);
    names.push(name);
  };
  const { basic, bearerTokens = [], exactValues = [], accessTokens = { local: [], remote: [] } } = ways;
  if (basic !== undefined) {
    add("basic", createBasicStrategy(basic.username, createSecretVerifier(basic.passwords)));
  }
  // Signatures come first because they are cheap. Fixed tokens come before whoever has to be asked: they are ours, and no
  // other server is to see them.
  const verifyToken = acceptAnyOf([
    ...accessTokens.local,
    ...(bearerTokens.length === 0 ? [] : [toTokenVerifier(createSecretVerifier(bearerTokens))]),
    ...accessTokens.remote,
  ]);
  if (verifyToken !== null) add("bearer", createBearerStrategy(verifyToken));
  if (exactValues.length > 0) add("exact", createExactValueStrategy(createSecretVerifier(exactValues)));
  // Without a way in the header every request is a stranger's.
  if (names.length === 0) return async () => summarise([]);

  return (request, response) =>
    new Promise((resolve, reject) => {
      const decided: passport.AuthenticateCallback = (error, user, info) => {
        if (error !== null && error !== undefined) return reject(error);
        if (user) return resolve({ authenticated: true });
        const failures = [info ?? []].flat() as unknown as readonly Failure[];
        const undecided = failures.find(({ verdict }) => verdict?.outcome === "undecided")?.verdict;
        if (undecided?.outcome === "undecided") reject(toUndecidedError(undecided.error));
        else resolve(summarise(failures));
      };
      authenticator.authenticate(names, { session: false }, decided)(request, response, reject);
    });
}

/** Why one way did not let a request in. */
interface Failure {
  readonly challenge: string;
  /** Of the token, when there was one. */
  readonly verdict: TokenVerdict | null;
}

function summarise(failures: readonly Failure[]): Authentication {
  const lacking = failures.find(({ verdict }) => verdict?.outcome === "insufficient-scope");
  if (lacking !== undefined) {
    return {
      authenticated: false,
      refusal: "insufficient-scope",
      challenges: [lacking.challenge],
      tokenFault: null,
    };
  }
  const invalid = failures.map(({ verdict }) => verdict).find((verdict) => verdict?.outcome === "invalid");
  return {
    authenticated: false,
    refusal: "unauthorized",
    challenges: failures.map(({ challenge }) => challenge),
    tokenFault: invalid?.outcome === "invalid" ? invalid.reason : null,
  };
}

function toUndecidedError(error: unknown): unknown {
  if (codeOf(error) === tooManyCandidates) return error;
  return new AppError(
    receiverErrors.tokenUndecided,
    "An access token could be neither accepted nor refused, because whoever knows did not answer.",
    { retryable: true, cause: error },
  );
}

function toTokenVerifier(tokens: SecretVerifier): VerifyAccessToken {
  return async (token) =>
    (await tokens.verify(token)) ? { outcome: "accepted" } : { outcome: "invalid", reason: "unknown-token" };
}

/** A strategy as passport runs it: an object made from ours for one request, with the request's callbacks on it. */
interface RunningStrategy extends Pick<passport.StrategyCreatedStatic, "success" | "error"> {
  fail(failure: Failure): void;
}

/**
 * Basic, RFC 7617. The base class cuts a password at its second colon, never checks an empty one and answers malformed
 * credentials with a bare 400, so `authenticate` is replaced as a whole.
 */
function createBasicStrategy(username: string, passwords: SecretVerifier): passport.Strategy {
  const isUsername = createTextMatcher(username);
  const failure = withoutToken(`Basic realm="${realm}", charset="UTF-8"`);

  class BasicStrategy extends PassportBasicStrategy {
    override authenticate(this: RunningStrategy, request: Request): void {
      const credentials = readBasicCredentials(request.headers.authorization);
      if (credentials === null) return this.fail(failure);
      // Both are always checked, so that the time does not tell whether the user name was right.
      const nameMatches = isUsername(credentials.username);
      const matches = passwords.verify(credentials.password).then((passwordMatches) => nameMatches && passwordMatches);
      settle(this, matches, failure);
    }
  }
  return new BasicStrategy({ realm }, neverAsked);
}

/**
 * Bearer, RFC 6750. The base class also takes tokens from the URL and from the body and answers a malformed header with
 * a bare 400, so `authenticate` is replaced as a whole.
 */
function createBearerStrategy(verify: VerifyAccessToken): passport.Strategy {
  class BearerStrategy extends passportBearer.Strategy<VerifyFunction> {
    override authenticate(this: RunningStrategy, request: Request): void {
      const credentials = /^Bearer(?: +(.*))?$/i.exec(request.headers.authorization ?? "");
      if (credentials === null) return this.fail(withoutToken(bearerChallenge));
      const token = credentials[1] ?? "";
      if (!/^[\x21-\x7e]+$/.test(token)) return this.fail(toFailure({ outcome: "invalid", reason: "malformed" }));
      verify(token).then(
        (verdict) => (verdict.outcome === "accepted" ? this.success(caller) : this.fail(toFailure(verdict))),
        (error: unknown) => this.error(error),
      );
    }
  }
  return new BearerStrategy({ realm }, neverAsked);
}

const bearerChallenge = `Bearer realm="${realm}"`;

/** For requests that use Bearer in a way that RFC 6750 forbids, whatever their source takes. */
export const invalidRequestChallenge = `${bearerChallenge}, error="invalid_request"`;

/** One description for every invalid token: why it is invalid helps who guesses. */
function toFailure(verdict: TokenVerdict): Failure {
  const challenge =
    verdict.outcome === "insufficient-scope"
      ? `${bearerChallenge}, error="insufficient_scope", scope="${verdict.scopes.join(" ")}"`
      : `${bearerChallenge}, error="invalid_token", error_description="The token is malformed or not accepted here"`;
  return { challenge, verdict };
}

function withoutToken(challenge: string): Failure {
  return { challenge, verdict: null };
}

/** One whole value of the Authorization header, without a scheme: what some gateways of this family send. */
function createExactValueStrategy(values: SecretVerifier): passport.Strategy {
  // Every 401 must carry a challenge and this way has no registered name.
  const failure = withoutToken(`Exact realm="${realm}"`);

  class ExactValueStrategy extends passport.Strategy {
    override authenticate(this: RunningStrategy, request: Request): void {
      const { authorization } = request.headers;
      if (authorization === undefined || authorization === "") return this.fail(failure);
      // Node.js reads header bytes as Latin-1.
      settle(this, values.verify(Buffer.from(authorization, "latin1").toString("utf8")), failure);
    }
  }
  return new ExactValueStrategy();
}

function settle(strategy: RunningStrategy, matches: Promise<boolean>, failure: Failure): void {
  matches.then(
    (accepted) => (accepted ? strategy.success(caller) : strategy.fail(failure)),
    (error: unknown) => strategy.error(error),
  );
}

/** Who a request comes from is its source, which the path says; passport only wants to hear of somebody. */
const caller: Express.User = {};

/** The base classes demand a function to verify with; what replaces their `authenticate` never calls it. */
function neverAsked(): void {}

/** Compares texts of any length in constant time: their HMACs have the same length and cannot be predicted. */
function createTextMatcher(expected: string): (text: string) => boolean {
  const key = randomBytes(32);
  const fingerprintOf = (text: string): Buffer => createHmac("sha256", key).update(text, "utf8").digest();
  const expectedFingerprint = fingerprintOf(expected);
  return (text) => timingSafeEqual(fingerprintOf(text), expectedFingerprint);
}
