import type { Request, RequestHandler, Response } from "express";
import type { ClientAddressOf } from "../../http/client-address.ts";
import type { GuessLimit } from "../../http/guess-limit.ts";
import { type Problem, writeProblem } from "../../http/problem-document.ts";
import type { SessionCookie } from "../../http/session-cookie.ts";
import { codeOf } from "../../kernel/app-error.ts";
import { tooManyCandidates } from "../../kernel/check-queue.ts";
import { networkOf } from "../../kernel/networks.ts";
import type { People } from "../people/people.ts";
import type { User } from "../people/ports.ts";
import type { UserRole } from "../people/role.ts";
import { apiTokenUsername } from "../people/username.ts";
import { type Identity, identityOf, setIdentity } from "./identity.ts";
import type { IsOwnOrigin } from "./own-origin.ts";

export interface AuthenticateOptions {
  readonly people: Pick<People, "findBySession" | "findByToken">;
  /** Whether a bearer token is API_TOKEN. Compares in constant time. */
  readonly verifyToken: (token: string, network: string) => Promise<boolean>;
  readonly guesses: GuessLimit;
  readonly addressOf: ClientAddressOf;
  readonly cookie: SessionCookie;
  readonly isOwnOrigin: IsOwnOrigin;
  /** Stated in each 401, so that the sign-in page of a demo can name its users. */
  readonly demo: boolean;
}

const bearerScheme = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i;
const challenge = 'Bearer realm="skedchange"';

/** Methods that change nothing. Another site cannot read the responses, so their origin does not matter. */
const safeMethods: readonly string[] = ["GET", "HEAD", "OPTIONS"];

/** API_TOKEN belongs to the installation, not to a person. */
const installation: Identity = {
  actor: `person:${apiTokenUsername}`,
  role: "admin",
  sources: null,
  via: "api-token",
  tokenId: null,
  userId: null,
  username: apiTokenUsername,
  displayName: "API token",
  passwordChangeNeeded: false,
  hasSecondFactor: false,
  secondFactorNeeded: false,
  issuer: null,
  readOnly: false,
};

/**
 * Rejects unauthenticated requests. It reads `Authorization: Bearer` or, without that header, the session cookie;
 * `identityOf` then returns the caller. Tokens in URLs are ignored, because URLs end up in logs.
 *
 * A request with a cookie that changes something must come from a page of our own, because browsers also send the cookie
 * with requests of other sites.
 *
 * @see RFC 6750 sections 2.1 and 3
 */
export function authenticate(options: AuthenticateOptions): RequestHandler {
  return async (request, response, next) => {
    const headers = request.headersDistinct["authorization"] ?? [];
    const outcome =
      headers.length > 0
        ? await identifyByHeader(headers, request, options)
        : await identifyByCookie(request, response, options);
    if ("problem" in outcome) {
      writeProblem(response, outcome.problem, outcome.headers);
      return;
    }
    setIdentity(request, outcome.identity);
    next();
  };
}

type Outcome =
  | { readonly identity: Identity }
  | { readonly problem: Problem; readonly headers?: Readonly<Record<string, string>> };

async function lookUp(
  credential: string,
  request: Request,
  { guesses, addressOf }: Pick<AuthenticateOptions, "guesses" | "addressOf">,
  find: (network: string) => Promise<Identity | null>,
): Promise<Identity | null | { readonly waitSeconds: number }> {
  const network = networkOf(addressOf(request));
  try {
    return await guesses.lookUp(network, credential, () => find(network));
  } catch (error) {
    if (codeOf(error) === tooManyCandidates) return { waitSeconds: 1 };
    throw error;
  }
}

/** The response to a network that has sent too many wrong credentials. */
function tooManyGuesses(waitSeconds: number): Outcome {
  return {
    problem: {
      status: 429,
      code: "api.too_many_attempts",
      title: "Too many wrong credentials",
      detail: `Too many tokens or sessions from this address were not valid. Try again in ${waitSeconds} s.`,
    },
    headers: { "Retry-After": String(waitSeconds) },
  };
}

export const badOrigin: Problem = {
  status: 403,
  code: "people.bad_origin",
  title: "The request does not come from this site",
  detail:
    "With the cookie of a session, the header Origin must name the address of the dashboard. Open it at PUBLIC_URL; without that setting, at the address that it listens on.",
};

/** Refuses everything to people whose password somebody else has set, until they have changed it. */
export const requireOwnPassword: RequestHandler = (request, response, next) => {
  if (!identityOf(request).passwordChangeNeeded) {
    next();
    return;
  }
  writeProblem(response, {
    status: 403,
    code: "people.password_change_needed",
    title: "Change your password first",
    detail: "Somebody else has set your password. Change it with POST /api/v1/session/password, or in the dashboard.",
  });
};

/** Refuses everything to people whose role must have a second factor, until they have added one. */
export const requireSecondFactor: RequestHandler = (request, response, next) => {
  if (!identityOf(request).secondFactorNeeded) {
    next();
    return;
  }
  writeProblem(response, {
    status: 403,
    code: "people.second_factor_needed",
    title: "Add a second factor first",
    detail: "Your role must have one. Add it with POST /api/v1/session/second-factor, or in the dashboard.",
  });
};

const tokenReadOnly: Problem = {
  status: 403,
  code: "people.token_read_only",
  title: "The token is for reading only",
  detail: "This token may only read. Create one that may also act, or sign in.",
};

async function identifyByHeader(
  headers: readonly string[],
  request: Request,
  options: AuthenticateOptions,
): Promise<Outcome> {
  const { people, verifyToken } = options;
  const token = headers.length === 1 ? bearerScheme.exec(headers[0]!)?.[1] : undefined;
  if (token !== undefined) {
    const found = await lookUp(token, request, options, async (network) => {
      if (await verifyToken(token, network)) return installation;
      const owner = await people.findByToken(token);
      if (owner === null) return null;
      const { user, role, readOnly, tokenId } = owner;
      return { ...identityOfUser(user, role, "personal-token"), readOnly, tokenId };
    });
    if (found !== null) {
      if ("waitSeconds" in found) return tooManyGuesses(found.waitSeconds);
      return found.readOnly && !safeMethods.includes(request.method) ? { problem: tokenReadOnly } : { identity: found };
    }
  }
  return {
    problem: {
      status: 401,
      code: "api.token_invalid",
      title: "The token is not valid",
      detail: "The Authorization header must be 'Bearer' and one valid API token, and be sent once.",
    },
    headers: { "WWW-Authenticate": `${challenge}, error="invalid_token"` },
  };
}

async function identifyByCookie(request: Request, response: Response, options: AuthenticateOptions): Promise<Outcome> {
  const { people, cookie, isOwnOrigin, demo } = options;
  const headers = { "WWW-Authenticate": challenge };
  const token = cookie.read(request);
  if (token === null) {
    const detail = "Sign in with POST /api/v1/session, or send the header Authorization: Bearer <API token>.";
    const problem = {
      status: 401,
      code: "api.token_missing",
      title: "A token is needed",
      detail,
      extensions: { demo },
    };
    return { problem, headers };
  }
  const found = await lookUp(token, request, options, async () => {
    const user = await people.findBySession(token);
    return user === null ? null : identityOfUser(user, user.role, "session");
  });
  if (found === null) {
    cookie.clear(response);
    const title = "The session has ended";
    const problem = {
      status: 401,
      code: "people.session_ended",
      title,
      detail: "Sign in again.",
      extensions: { demo },
    };
    return { problem, headers };
  }
  if ("waitSeconds" in found) return tooManyGuesses(found.waitSeconds);
  if (!safeMethods.includes(request.method) && !isOwnOrigin(request)) return { problem: badOrigin };
  return { identity: found };
}

/**
 * Asks again whether the credential of an admitted request is valid, and its owner sees the same sources. That alone is no
 * use of a session.
 */
export function createSignedInCheck(
  request: Request,
  { via, sources }: Pick<Identity, "via" | "sources">,
  {
    people,
    cookie,
  }: { readonly people: Pick<People, "findOpenSession" | "findByToken">; readonly cookie: SessionCookie },
): () => Promise<boolean> {
  const session = cookie.read(request) ?? "";
  const token = bearerScheme.exec(request.headers.authorization ?? "")?.[1] ?? "";
  const isSame = (user: User | undefined | null) => user != null && String(user.sources) === String(sources);
  switch (via) {
    case "session":
      return async () => {
        const user = await people.findOpenSession(session);
        return isSame(user) && user?.secondFactorNeeded === false;
      };
    case "personal-token":
      return async () => isSame((await people.findByToken(token))?.user);
    case "api-token":
      return async () => true;
  }
}

function identityOfUser(user: User, role: UserRole, via: Identity["via"]): Identity {
  const { id, username, displayName, sources, hasSecondFactor, issuer } = user;
  const passwordChangeNeeded = via === "session" && user.passwordChangeNeeded;
  const secondFactorNeeded = via === "session" && user.secondFactorNeeded;
  const actor = `person:${username}`;
  return {
    actor,
    role,
    sources,
    via,
    tokenId: null,
    userId: id,
    username,
    displayName,
    passwordChangeNeeded,
    hasSecondFactor,
    secondFactorNeeded,
    issuer,
    readOnly: false,
  };
}
