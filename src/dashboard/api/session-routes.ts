import { Router } from "express";
import { assertNever } from "../../kernel/app-error.ts";
import { writeProblem } from "../../kernel/problem-document.ts";
import { type People, sessionLifeMs } from "../people/people.ts";
import { writeBadOrigin } from "./authenticate.ts";
import { readQuery, refuseMethod } from "./exchange.ts";
import { identityOf } from "./identity.ts";
import { parseJsonBody, readBody } from "./json-body.ts";
import type { IsOwnOrigin } from "./own-origin.ts";
import { signInBody } from "./people-requests.ts";
import { emptyQuery } from "./requests.ts";
import type { SessionCookie } from "./session-cookie.ts";

/** `POST /session`. Mount it before `authenticate`. */
export function createSignInRoute(options: {
  readonly people: Pick<People, "signIn">;
  readonly cookie: SessionCookie;
  readonly isOwnOrigin: IsOwnOrigin;
}): Router {
  const { people, cookie, isOwnOrigin } = options;
  const router = Router();

  router.post("/session", parseJsonBody, async (request, response) => {
    if (readQuery(request, response, emptyQuery) === null) return;
    // A program sends no Origin. A browser does, and another site must not sign anybody in as somebody else.
    if (request.headers.origin !== undefined && !isOwnOrigin(request)) {
      writeBadOrigin(response);
      return;
    }
    const body = readBody(request, response, signInBody);
    if (body === null) return;
    const outcome = await people.signIn({
      ...body,
      address: request.socket.remoteAddress ?? "unknown",
      sessionToken: cookie.read(request),
    });
    switch (outcome.outcome) {
      case "signed-in": {
        const { id, username, displayName, role } = outcome.user;
        cookie.write(response, outcome.sessionToken, sessionLifeMs / 1_000);
        response.json({ user: { id, username, displayName, role } });
        return;
      }
      case "failed":
        writeProblem(
          response,
          {
            status: 401,
            code: "people.sign_in_failed",
            title: "Signing in failed",
            detail: "The user name or the password is wrong, or the user is disabled.",
          },
          { "WWW-Authenticate": 'Bearer realm="skedchange"' },
        );
        return;
      case "locked":
        writeProblem(
          response,
          {
            status: 429,
            code: "people.sign_in_locked",
            title: "Too many failed sign-ins",
            detail: `Signing in failed too often with this user name or from this address. Try again in ${outcome.retryAfterSeconds} s.`,
          },
          { "Retry-After": String(outcome.retryAfterSeconds) },
        );
        return;
      default:
        assertNever(outcome);
    }
  });

  return router;
}

/** `GET` and `DELETE /session`. Mount it behind `authenticate`. */
export function createSessionRoutes(options: {
  readonly people: Pick<People, "signOut">;
  readonly cookie: SessionCookie;
  readonly demo: boolean;
}): Router {
  const { people, cookie, demo } = options;
  const router = Router();

  router.get("/session", (request, response) => {
    if (readQuery(request, response, emptyQuery) === null) return;
    const { userId, username, displayName, role } = identityOf(request);
    response.json({ user: { id: userId, username, displayName, role }, demo });
  });

  router.delete("/session", async (request, response) => {
    if (readQuery(request, response, emptyQuery) === null) return;
    const token = identityOf(request).via === "session" ? cookie.read(request) : null;
    if (token !== null) {
      await people.signOut(token);
      cookie.clear(response);
    }
    response.status(204).end();
  });
  router.all("/session", refuseMethod("GET, HEAD, POST, DELETE"));

  return router;
}
