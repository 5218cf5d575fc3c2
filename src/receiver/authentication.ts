import type { Request, Response } from "express";
import passport from "passport";
import passportBearer, { type VerifyFunction } from "passport-http-bearer";
import { AppError, codeOf } from "../kernel/app-error.ts";
import { tooManyCandidates } from "../kernel/check-queue.ts";
import { acceptAnyOf, type TokenFault, type TokenVerdict, type VerifyAccessToken } from "./access-token.ts";
import {
  caller,
  type Failure,
  type HeaderStrategy,
  type NetworkOfCaller,
  neverAsked,
  type RunningStrategy,
  realm,
  withoutToken,
} from "./header-strategy.ts";
import { receiverErrors } from "./receiver-problems.ts";
import type { Check } from "./ways/way.ts";

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

/** Signatures are cheap to check, and no other server is to see a token that is one of our own secrets. */
const orderOfTokenChecks = ["keys", "secrets", "server"] as const;

/** Checks what the headers hold. A body that may be signed only adds its challenge. */
export function createAuthenticate(checks: readonly Check[], networkOf: NetworkOfCaller): Authenticate {
  // Passport's shared authenticator has one name space for strategies.
  const authenticator = new passport.Passport();
  const names: string[] = [];
  const add = (name: string, strategy: HeaderStrategy): void => {
    // By name: an instance would get a request's callbacks, and a second request would complete the first.
    authenticator.use(name, strategy);
    names.push(name);
  };
  const verifyToken = acceptAnyOf(
    orderOfTokenChecks.flatMap((by) =>
      checks.flatMap((check) => (check.reads === "bearer-token" && check.by === by ? [check.verify] : [])),
    ),
  );
  for (const check of checks) {
    if (check.reads === "header") add(check.name, check.strategy);
    else if (check.reads === "bearer-token" && verifyToken !== null && !names.includes("bearer")) {
      add("bearer", createBearerStrategy(verifyToken, networkOf));
    }
  }
  const challengesOfBodies = checks.flatMap((check) => (check.reads === "body" ? [check.challenge] : []));
  if (names.length === 0) return async () => summarise([], challengesOfBodies);

  return (request, response) =>
    new Promise((resolve, reject) => {
      const decided: passport.AuthenticateCallback = (error, user, info) => {
        if (error !== null && error !== undefined) return reject(error);
        if (user) return resolve({ authenticated: true });
        const failures = [info ?? []].flat() as unknown as readonly Failure[];
        const undecided = failures.find(({ verdict }) => verdict?.outcome === "undecided")?.verdict;
        if (undecided?.outcome === "undecided") reject(toUndecidedError(undecided.error));
        else resolve(summarise(failures, challengesOfBodies));
      };
      authenticator.authenticate(names, { session: false }, decided)(request, response, reject);
    });
}

function summarise(failures: readonly Failure[], challengesOfBodies: readonly string[]): Authentication {
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
    challenges: [...failures.map(({ challenge }) => challenge), ...challengesOfBodies],
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

/** RFC 6750: the base class also takes tokens from URL and body, and responds to a malformed header with a bare 400. */
function createBearerStrategy(verify: VerifyAccessToken, networkOf: NetworkOfCaller): HeaderStrategy {
  class BearerStrategy extends passportBearer.Strategy<VerifyFunction> {
    override authenticate(this: RunningStrategy, request: Request): void {
      const credentials = /^Bearer(?: +(.*))?$/i.exec(request.headers.authorization ?? "");
      if (credentials === null) return this.fail(withoutToken(bearerChallenge));
      const token = credentials[1] ?? "";
      if (!/^[\x21-\x7e]+$/.test(token)) return this.fail(toFailure({ outcome: "invalid", reason: "malformed" }));
      verify(token, networkOf(request)).then(
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
