import type { ClientAddressOf } from "../../http/client-address.ts";
import { problem, success } from "../../http/route.ts";
import type { SessionCookie } from "../../http/session-cookie.ts";
import { assertNever } from "../../kernel/app-error.ts";
import type { MinuteLimit } from "../../kernel/minute-limit.ts";
import { networkOf } from "../../kernel/networks.ts";
import { type People, sessionLifeMs } from "../people/people.ts";
import { done, openRoute, route } from "./api-surface.ts";
import { badOrigin } from "./authenticate.ts";
import type { IsOwnOrigin } from "./own-origin.ts";
import { signInBody } from "./people-requests.ts";
import { sessionResponse, signedInResponse } from "./people-responses.ts";

export const peopleTag = "People";

/** Mount it before `authenticate`. */
export const signInRoutes = [
  openRoute({
    method: "post",
    path: "/session",
    role: "anyone",
    operationId: "signIn",
    tag: peopleTag,
    summary: "Signs in; the response sets the cookie of the session",
    body: signInBody,
    responses: {
      200: success("Signed in.", signedInResponse),
      401: problem("The user name or the password is wrong, or the user is disabled.", "people.sign_in_failed"),
      403: problem("The request comes from a page of another site.", "people.bad_origin"),
      429: problem(
        "Too many failed attempts with this user name or from this address. Try again after Retry-After.",
        "people.sign_in_locked",
      ),
    },
    async handle({ body, request, response }, { people, cookie, isOwnOrigin, signIns, addressOf }: SignInNeeds) {
      // Another site must not sign a browser in as somebody else. Programs send no Origin.
      if (request.headers.origin !== undefined && !isOwnOrigin(request)) return badOrigin;
      const address = addressOf(request);
      const waitSeconds = signIns.count(networkOf(address));
      if (waitSeconds !== null) return signInLocked(waitSeconds);
      const outcome = await people.signIn({ ...body, address, sessionToken: cookie.read(request) });
      switch (outcome.outcome) {
        case "signed-in": {
          const { id, username, displayName, role } = outcome.user;
          cookie.write(response, outcome.sessionToken, sessionLifeMs / 1_000);
          return { body: { user: { id, username, displayName, role } } };
        }
        case "failed":
          return {
            status: 401,
            code: "people.sign_in_failed",
            title: "Signing in failed",
            detail: "The user name or the password is wrong, or the user is disabled.",
            headers: { "WWW-Authenticate": 'Bearer realm="skedchange"' },
          };
        case "locked":
          return signInLocked(outcome.retryAfterSeconds);
        default:
          return assertNever(outcome);
      }
    },
  }),
] as const;

function signInLocked(retryAfterSeconds: number) {
  return {
    status: 429,
    code: "people.sign_in_locked",
    title: "Too many failed sign-ins",
    detail: `Too many failed attempts with this user name or from this address. Try again in ${retryAfterSeconds} s.`,
    headers: { "Retry-After": String(retryAfterSeconds) },
  };
}

type SignInNeeds = {
  readonly signIns: MinuteLimit;
  readonly addressOf: ClientAddressOf;
  readonly people: Pick<People, "signIn">;
  readonly cookie: SessionCookie;
  readonly isOwnOrigin: IsOwnOrigin;
};

export const sessionRoutes = [
  route({
    method: "get",
    path: "/session",
    role: "viewer",
    operationId: "readSession",
    tag: peopleTag,
    summary: "Who is asking",
    responses: { 200: success("The signed-in user, or the owner of the token.", sessionResponse) },
    handle({ caller }, { demo }: { readonly demo: boolean }) {
      const { userId, username, displayName, role } = caller;
      return { body: { user: { id: userId, username, displayName, role }, demo } };
    },
  }),
  route({
    method: "delete",
    path: "/session",
    role: "viewer",
    operationId: "signOut",
    tag: peopleTag,
    summary: "Signs out: the session ends",
    responses: { 204: done },
    async handle({ caller, request, response }, { people, cookie }: SignOutNeeds) {
      const token = caller.via === "session" ? cookie.read(request) : null;
      if (token !== null) {
        await people.signOut(token);
        cookie.clear(response);
      }
      return {};
    },
  }),
] as const;

type SignOutNeeds = {
  readonly people: Pick<People, "signOut">;
  readonly cookie: SessionCookie;
};
