import type { z } from "zod";
import type { VisibleSources } from "../../cases/visible-sources.ts";
import type { ClientAddressOf } from "../../http/client-address.ts";
import type { Problem } from "../../http/problem-document.ts";
import { problem, routes, success } from "../../http/route.ts";
import type { SessionCookie } from "../../http/session-cookie.ts";
import { assertNever } from "../../kernel/app-error.ts";
import { deviceKnownMs } from "../people/lockout.ts";
import { type People, sessionLifeMs } from "../people/people.ts";
import { describeUserAgent } from "../people/user-agent.ts";
import { done, invalidBody, openRoute, route } from "./api-surface.ts";
import { badOrigin } from "./authenticate.ts";
import type { IsOwnOrigin } from "./own-origin.ts";
import { changePasswordBody, signInBody } from "./people-requests.ts";
import { sessionResponse, signedInResponse } from "./people-responses.ts";

export const peopleTag = { name: "People", description: "Sessions, users and personal tokens." };

/** Mount it before `authenticate`. */
export const signInRoutes = routes(peopleTag.name, {
  signIn: openRoute("POST /session", "anyone", {
    summary: "Signs in; the response sets the cookie of the session",
    body: signInBody,
    responses: {
      200: success("Signed in.", signedInResponse),
      401: problem(
        "The user name or the password is wrong, or the user is disabled; or they are right, and a code is needed or wrong.",
        "people.sign_in_failed",
        "people.code_needed",
        "people.code_wrong",
      ),
      403: problem("The request comes from a page of another site.", "people.bad_origin"),
      429: problem(
        "Too many failed attempts with this user name or from this address. Try again after Retry-After.",
        "people.sign_in_locked",
      ),
    },
    async handle({ body, request, response }, { people, cookie, browserCookie, isOwnOrigin, addressOf }: SignInNeeds) {
      // Another site must not sign a browser in as somebody else. Programs send no Origin.
      if (request.headers.origin !== undefined && !isOwnOrigin(request)) return badOrigin;
      const address = addressOf(request);
      const browser = describeUserAgent(request.headers["user-agent"]);
      const [sessionToken, browserToken] = [cookie.read(request), browserCookie.read(request)];
      const outcome = await people.signIn({ ...body, address, browser, sessionToken, browserToken });
      switch (outcome.outcome) {
        case "signed-in": {
          cookie.write(response, outcome.sessionToken, sessionLifeMs / 1_000);
          if (outcome.browserToken !== null) browserCookie.write(response, outcome.browserToken, deviceKnownMs / 1_000);
          return { body: { user: signedInUser(outcome.user) } };
        }
        case "code-needed":
          return codeRefused(
            "people.code_needed",
            "A code is needed",
            "Send a code of your authenticator app as well.",
          );
        case "code-wrong":
          return codeRefused(
            "people.code_wrong",
            "The code is wrong",
            "The code is wrong, has expired or was used before. Wait for the next one, or use a recovery code.",
          );
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
});

/** Without what else is known of them. */
function signedInUser(user: Readonly<Omit<SignedInUser, "sources">> & { readonly sources: VisibleSources }) {
  const {
    id,
    username,
    displayName,
    role,
    sources,
    passwordChangeNeeded,
    hasSecondFactor,
    secondFactorNeeded,
    issuer,
  } = user;
  const needs = { passwordChangeNeeded, hasSecondFactor, secondFactorNeeded };
  return { id, username, displayName, role, sources, ...needs, issuer };
}

type SignedInUser = z.infer<typeof signedInResponse>["user"];

function codeRefused(code: string, title: string, detail: string) {
  return { status: 401, code, title, detail, headers: { "WWW-Authenticate": 'Bearer realm="skedchange"' } } as const;
}

export const currentPasswordWrong: Problem = {
  status: 422,
  code: "people.current_password_wrong",
  title: "The current password is wrong",
  detail: "The current password is wrong. Nothing was changed.",
  extensions: { problems: [{ path: "/currentPassword", message: "is wrong" }] },
};

export function signInLocked(retryAfterSeconds: number) {
  return {
    status: 429,
    code: "people.sign_in_locked",
    title: "Too many failed sign-ins",
    detail: `Too many failed attempts with this user name or from this address. Try again in ${retryAfterSeconds} s.`,
    headers: { "Retry-After": String(retryAfterSeconds) },
  };
}

type SignInNeeds = {
  readonly addressOf: ClientAddressOf;
  readonly people: Pick<People, "signIn">;
  readonly cookie: SessionCookie;
  readonly browserCookie: SessionCookie;
  readonly isOwnOrigin: IsOwnOrigin;
};

/** `/session` of who is signed in: all that somebody may use who must change their password first. */
export const sessionRoutes = routes(peopleTag.name, {
  readSession: route("GET /session", "viewer", {
    summary: "Who is asking",
    responses: { 200: success("The signed-in user, or the owner of the token.", sessionResponse) },
    handle({ caller }, { demo }: { readonly demo: boolean }) {
      return { body: { user: signedInUser({ ...caller, id: caller.userId }), demo } };
    },
  }),
  signOut: route("DELETE /session", "viewer", {
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
  changeOwnPassword: route("POST /session/password", "viewer", {
    summary: "Changes one's own password; one's other sessions end. Needs a session, not a token",
    body: changePasswordBody,
    responses: {
      204: done,
      403: problem(
        "This takes a signed-in person, on a page of the dashboard.",
        "people.session_needed",
        "people.token_read_only",
        "people.bad_origin",
      ),
      409: problem("The account comes from an identity provider and has no password here.", "people.provider_account"),
      422: invalidBody("people.password_refused", "people.current_password_wrong"),
      429: problem(
        "Too many failed attempts with this user name or from this address. Try again after Retry-After.",
        "people.sign_in_locked",
        "api.too_many_attempts",
      ),
    },
    async handle({ body, caller, request }, { people, cookie, browserCookie, addressOf }: ChangePasswordNeeds) {
      const { userId, username, via } = caller;
      const sessionToken = cookie.read(request);
      if (userId === null || via !== "session" || sessionToken === null) {
        return sessionNeeded("A token cannot change a password. Sign in and change it there.");
      }
      if (caller.issuer !== null) return providerAccount("Your password is that of your identity provider.");
      const address = addressOf(request);
      const outcome = await people.changeOwnPassword({
        ...body,
        revokeTokens: body.revokeTokens === true,
        userId,
        username,
        address,
        browserToken: browserCookie.read(request),
        sessionToken,
      });
      switch (outcome.outcome) {
        case "changed":
          return {};
        case "current-password-wrong":
          return currentPasswordWrong;
        case "password-refused":
          return passwordRefused("/newPassword", outcome.problem);
        case "locked":
          return signInLocked(outcome.retryAfterSeconds);
        default:
          return assertNever(outcome);
      }
    },
  }),
});

type ChangePasswordNeeds = {
  readonly addressOf: ClientAddressOf;
  readonly people: Pick<People, "changeOwnPassword">;
  readonly cookie: SessionCookie;
  readonly browserCookie: SessionCookie;
};

/** The response to a token that asks for what only a person may do. */
export function sessionNeeded(detail: string): Problem {
  return { status: 403, code: "people.session_needed", title: "This takes a signed-in person", detail };
}

/** The response to a change of what an identity provider decides. */
export function providerAccount(detail: string): Problem {
  return { status: 409, code: "people.provider_account", title: "The account comes from an identity provider", detail };
}

/** The response to a password that is not good enough. */
export function passwordRefused(path: string, message: string): Problem {
  return {
    status: 422,
    code: "people.password_refused",
    title: "The password is not good enough",
    detail: `The password ${message}.`,
    extensions: { problems: [{ path, message }] },
  };
}

type SignOutNeeds = {
  readonly people: Pick<People, "signOut">;
  readonly cookie: SessionCookie;
};
