import express, { type ErrorRequestHandler, type Request, type Router } from "express";
import type { z } from "zod";
import type { DescribedRoute } from "../http/describe-routes.ts";
import { mountRoutes, refuseOtherMethods, type Surface } from "../http/mount-routes.ts";
import { type Problem, writeProblem } from "../http/problem-document.ts";
import { describeProblems, problemsIn } from "../http/request-problems.ts";
import { type AnyRoutes, type NeedsOf, problem, type Responses } from "../http/route.ts";
import { unreadableStatus } from "../http/unreadable-status.ts";
import type { RecipientCaller } from "./recipient-routes.ts";

const requestBytesMax = 64 * 1024;

export type RecipientAccess<Role> = Pick<Surface<Role, RecipientCaller>, "authorize" | "callerOf">;

/** For routers that do not identify the caller. */
export const openAccess: RecipientAccess<unknown> = {
  authorize: () => true,
  callerOf: () => null,
};

export function mountRecipientRoutes<Role, const Routes extends AnyRoutes<Role>>(
  routes: Routes,
  needs: NeedsOf<Routes>,
  access: RecipientAccess<Role>,
  router = express.Router(),
): Router {
  const surface: Surface<Role, RecipientCaller> = {
    ...access,
    bodyParser: () => express.json({ limit: requestBytesMax }),
    bodyOf: (request: Request) => request.body as unknown,
    refuseQuery: badRequest,
    refuseBody: badRequest,
  };
  mountRoutes(router, routes, surface, needs);
  refuseOtherMethods(router, routes);
  router.use(refuseUnreadableBody);
  return router;
}

export function describeUnreadable({ query, body }: DescribedRoute<unknown>): Responses {
  if (query === undefined && body === undefined) return {};
  return {
    400: problem("The query or the body is not what this takes, or too long.", "sender.bad_request"),
    ...(body === undefined ? {} : { 413: problem("The body is longer than 64 KiB.", "sender.bad_request") }),
  };
}

export function badRequest(error: z.ZodError): Problem {
  const problems = problemsIn(error);
  return {
    status: 400,
    code: "sender.bad_request",
    title: "The request is not valid",
    detail: describeProblems(problems),
    extensions: { problems },
  };
}

/** Replaces the messages of `express.json`, which quote the body and may contain a credential. */
const refuseUnreadableBody: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  const status = unreadableStatus(error);
  if (status === null) {
    next(error);
    return;
  }
  writeProblem(response, {
    status,
    code: "sender.bad_request",
    title: "The request is not valid",
    detail:
      status === 413
        ? "The body is too long: docs/sender.md has the limits."
        : "The body could not be read: send JSON.",
  });
};
