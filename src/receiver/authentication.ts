import { randomBytes, timingSafeEqual } from "node:crypto";
import type { Request, Response } from "express";
import passport from "passport";
import { BasicStrategy as PassportBasicStrategy } from "passport-http";
import passportBearer, { type VerifyFunction } from "passport-http-bearer";
import { readBasicCredentials } from "../http/basic-credentials.ts";
import type { ClientAddressOf } from "../http/client-address.ts";
import { AppError, codeOf } from "../kernel/app-error.ts";
import { tooManyCandidates } from "../kernel/check-queue.ts";
import { createFingerprint } from "../kernel/fingerprint.ts";
import { networkOf } from "../kernel/networks.ts";
import { nothingRecognised, type RecognisedCredentials } from "../kernel/recognised-credentials.ts";
import type { Secret } from "../kernel/secret.ts";
import { createSecretVerifier, type SecretVerifier } from "../kernel/secret-verifier.ts";
import { acceptAnyOf, type TokenFault, type TokenVerdict, type VerifyAccessToken } from "./access-token.ts";
import type { SourceAuthentication } from "./ports.ts";
import { receiverErrors } from "./receiver-problems.ts";

export type Authentication =
  | { readonly authenticated: true }
  | {
      readonly authenticated: false;
      /** `insufficient-scope`: authenticated with a token that may not push. */
      readonly refusal: "unauthorized" | "insufficient-scope";
      /** WWW-Authenticate values: one per accepted way, or the one for the missing scope. */
      readonly challenges: readonly string[];
      /** For the log only. */
      readonly tokenFault: TokenFault | null;
    };

/** @throws AppError `secret.too_many_candidates`, `receiver.token_undecided` if credentials can't be checked now */
export type Authenticate = (request: Request, response: Response) => Promise<Authentication>;

/** The same realm for all sources, so that a response does not reveal which exist. */
const realm = "skedchange";

export const signatureChallenge = `StandardWebhooks realm="${realm}"`;

export interface HeaderCredentials extends Pick<SourceAuthentication, "basic" | "bearerTokens" | "exactValues"> {
  readonly accessTokens?: AccessTokenVerifiers;
}

export interface AccessTokenVerifiers {
  /** Check a signature on this machine. */
  readonly local: readonly VerifyAccessToken[];
  /** Ask another server, which thereby learns the token. */
  readonly remote: readonly VerifyAccessToken[];
}

/** @throws AppError `secret.unusable` for an empty secret or a malformed hash */
export function createAuthenticate(
  ways: HeaderCredentials,
  addressOf: ClientAddressOf,
  recognised: RecognisedCredentials = nothingRecognised,
): Authenticate {
  // Passport's shared authenticator has one name space for strategies.
  const authenticator = new passport.Passport();
  const names: string[] = [];
  const add = (name: string, strategy: passport.Strategy): void => {
    // By name: an instance would get a request's callbacks, and a second request would complete the first.
    authenticator.use(name, strategy);
    names.push(name);
  };
  const verifierOf = (secrets: readonly Secret[]) => createSecretVerifier(secrets, { recognised });
  const networkOfCaller = (request: Request): string => networkOf(addressOf(request));
  const { basic, bearerTokens = [], exactValues = [], accessTokens = { local: [], remote: [] } } = ways;
  if (basic !== undefined) {
    add("basic", createBasicStrategy(basic.username, verifierOf(basic.passwords), networkOfCaller));
  }
  // Cheap signatures first; our fixed tokens before remote checks, so that no other server sees them.
  const verifyToken = acceptAnyOf([
    ...accessTokens.local,
    ...(bearerTokens.length === 0 ? [] : [toTokenVerifier(verifierOf(bearerTokens))]),
    ...accessTokens.remote,
  ]);
  if (verifyToken !== null) add("bearer", createBearerStrategy(verifyToken, networkOfCaller));
  if (exactValues.length > 0) add("exact", createExactValueStrategy(verifierOf(exactValues), networkOfCaller));
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

interface Failure {
  readonly challenge: string;
  /** Null if no token was sent. */
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
    "An access token could be neither accepted nor refused, because whoever knows did not respond.",
    { retryable: true, cause: error },
  );
}

function toTokenVerifier(tokens: SecretVerifier): VerifyAccessToken {
  return async (token, network) =>
    (await tokens.verify(token, network)) ? { outcome: "accepted" } : { outcome: "invalid", reason: "unknown-token" };
}

type NetworkOfCaller = (request: Request) => string;

interface RunningStrategy extends Pick<passport.StrategyCreatedStatic, "success" | "error"> {
  fail(failure: Failure): void;
}

/**
 * Replaces the `authenticate` that splits at the second colon, skips empty passwords and responds with a bare 400 (RFC 7617).
 */
function createBasicStrategy(
  username: string,
  passwords: SecretVerifier,
  networkOfCaller: NetworkOfCaller,
): passport.Strategy {
  const isUsername = createTextMatcher(username);
  const decoy = randomBytes(16).toString("base64url");
  const failure = withoutToken(`Basic realm="${realm}", charset="UTF-8"`);

  class BasicStrategy extends PassportBasicStrategy {
    override authenticate(this: RunningStrategy, request: Request): void {
      const credentials = readBasicCredentials(request.headers.authorization);
      if (credentials === null) return this.fail(failure);
      // With another name, a password that cannot be right takes its place, so that timing reveals neither of them.
      const { username: name, password } = credentials;
      const matches = passwords.verify(isUsername(name) ? password : decoy + password, networkOfCaller(request));
      settle(this, matches, failure);
    }
  }
  return new BasicStrategy({ realm }, neverAsked);
}

/** RFC 6750: the base class also takes tokens from URL and body, and responds to a malformed header with a bare 400. */
function createBearerStrategy(verify: VerifyAccessToken, networkOfCaller: NetworkOfCaller): passport.Strategy {
  class BearerStrategy extends passportBearer.Strategy<VerifyFunction> {
    override authenticate(this: RunningStrategy, request: Request): void {
      const credentials = /^Bearer(?: +(.*))?$/i.exec(request.headers.authorization ?? "");
      if (credentials === null) return this.fail(withoutToken(bearerChallenge));
      const token = credentials[1] ?? "";
      if (!/^[\x21-\x7e]+$/.test(token)) return this.fail(toFailure({ outcome: "invalid", reason: "malformed" }));
      verify(token, networkOfCaller(request)).then(
        (verdict) => (verdict.outcome === "accepted" ? this.success(caller) : this.fail(toFailure(verdict))),
        (error: unknown) => this.error(error),
      );
    }
  }
  return new BearerStrategy({ realm }, neverAsked);
}

const bearerChallenge = `Bearer realm="${realm}"`;

/** For uses of Bearer that RFC 6750 forbids, whatever the source accepts. */
export const invalidRequestChallenge = `${bearerChallenge}, error="invalid_request"`;

/** One description for every invalid token, because the reason would help guessing. */
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

/** For some gateways of this family, which send no scheme. */
function createExactValueStrategy(values: SecretVerifier, networkOfCaller: NetworkOfCaller): passport.Strategy {
  // Every 401 must carry a challenge, and this way has no registered name.
  const failure = withoutToken(`Exact realm="${realm}"`);

  class ExactValueStrategy extends passport.Strategy {
    override authenticate(this: RunningStrategy, request: Request): void {
      const { authorization } = request.headers;
      if (authorization === undefined || authorization === "") return this.fail(failure);
      // Node.js reads header bytes as Latin-1.
      const value = Buffer.from(authorization, "latin1").toString("utf8");
      settle(this, values.verify(value, networkOfCaller(request)), failure);
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

/** The source in the path identifies the caller; passport only requires some user. */
const caller: Express.User = {};

function neverAsked(): void {}

/** Compares texts of any length in constant time. */
function createTextMatcher(expected: string): (text: string) => boolean {
  const fingerprintOf = createFingerprint();
  const expectedFingerprint = fingerprintOf(expected);
  return (text) => timingSafeEqual(fingerprintOf(text), expectedFingerprint);
}
