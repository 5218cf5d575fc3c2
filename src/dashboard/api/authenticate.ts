import type { Request, RequestHandler, Response } from "express";
import { type Problem, writeProblem } from "../../http/problem-document.ts";
import type { SessionCookie } from "../../http/session-cookie.ts";
import type { People } from "../people/people.ts";
import type { User } from "../people/ports.ts";
import type { UserRole } from "../people/role.ts";
import { apiTokenUsername } from "../people/username.ts";
import { type Identity, setIdentity } from "./identity.ts";
import type { IsOwnOrigin } from "./own-origin.ts";

export interface AuthenticateOptions {
  readonly people: Pick<People, "findBySession" | "findByToken">;
  /** Whether a bearer token is API_TOKEN. Compares in constant time. */
  readonly verifyToken: (token: string) => Promise<boolean>;
  readonly cookie: SessionCookie;
  readonly isOwnOrigin: IsOwnOrigin;
  /** Stated in each 401, so that the sign-in page of a demo can name its users. */
  readonly demo: boolean;
}

const bearerScheme = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i;
const challenge = 'Bearer realm="skedchange"';

/** They change nothing, and another site cannot read the responses, so their origin does not matter. */
const safeMethods: readonly string[] = ["GET", "HEAD", "OPTIONS"];

/** API_TOKEN belongs to the installation, not to a person. */
const installation: Identity = {
  actor: `person:${apiTokenUsername}`,
  role: "admin",
  via: "api-token",
  userId: null,
  username: apiTokenUsername,
  displayName: "API token",
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
    const identity =
      headers.length > 0
        ? await identifyByHeader(headers, response, options)
        : await identifyByCookie(request, response, options);
    if (identity === null) return;
    setIdentity(request, identity);
    next();
  };
}

export const badOrigin: Problem = {
  status: 403,
  code: "people.bad_origin",
  title: "The request does not come from this site",
  detail:
    "With the cookie of a session, the header Origin must name the address of the dashboard. Open it at PUBLIC_URL; without that setting, at the address that it listens on.",
};

async function identifyByHeader(
  headers: readonly string[],
  response: Response,
  { people, verifyToken }: AuthenticateOptions,
): Promise<Identity | null> {
  const token = headers.length === 1 ? bearerScheme.exec(headers[0]!)?.[1] : undefined;
  if (token !== undefined) {
    const found = await people.findByToken(token);
    if (found !== null) return identityOfUser(found.user, found.role, "personal-token");
    if (await verifyToken(token)) return installation;
  }
  writeProblem(
    response,
    {
      status: 401,
      code: "api.token_invalid",
      title: "The token is not valid",
      detail: "The Authorization header must be 'Bearer' and one valid API token, and be sent once.",
    },
    { "WWW-Authenticate": `${challenge}, error="invalid_token"` },
  );
  return null;
}

async function identifyByCookie(
  request: Request,
  response: Response,
  { people, cookie, isOwnOrigin, demo }: AuthenticateOptions,
): Promise<Identity | null> {
  const token = cookie.read(request);
  const user = token === null ? null : await people.findBySession(token);
  if (user === null) {
    if (token !== null) cookie.clear(response);
    writeProblem(
      response,
      token === null
        ? {
            status: 401,
            code: "api.token_missing",
            title: "A token is needed",
            detail: "Sign in with POST /api/v1/session, or send the header Authorization: Bearer <API token>.",
            extensions: { demo },
          }
        : {
            status: 401,
            code: "people.session_ended",
            title: "The session has ended",
            detail: "Sign in again.",
            extensions: { demo },
          },
      { "WWW-Authenticate": challenge },
    );
    return null;
  }
  if (!safeMethods.includes(request.method) && !isOwnOrigin(request)) {
    writeProblem(response, badOrigin);
    return null;
  }
  return identityOfUser(user, user.role, "session");
}

function identityOfUser(user: User, role: UserRole, via: Identity["via"]): Identity {
  const { id, username, displayName } = user;
  return { actor: `person:${username}`, role, via, userId: id, username, displayName };
}
