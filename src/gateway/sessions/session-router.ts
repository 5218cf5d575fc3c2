import type { IncomingMessage } from "node:http";
import express, { type ErrorRequestHandler, type Request, type Response, type Router } from "express";
import { z } from "zod";
import type { ClientAddressOf } from "../../http/client-address.ts";
import { type Problem, writeProblem } from "../../http/problem-document.ts";
import type { SessionCookie } from "../../http/session-cookie.ts";
import { unreadableStatus } from "../../http/unreadable-status.ts";
import { AppError } from "../../kernel/app-error.ts";
import { tooManyCandidates } from "../../kernel/check-queue.ts";
import { networkOf } from "../../kernel/networks.ts";
import type { Logger } from "../../telemetry/logger.ts";
import { type ControlSessions, sessionLifeMs } from "./control-sessions.ts";
import type { TokenGuesses } from "./token-guesses.ts";

/**
 * The pages send this header with each request. Forms and images of other pages can't, and scripts of other origins
 * need a permission that is never given.
 * @see Fetch standard, "CORS-safelisted request-header"
 */
const pageHeader = "skedchange-page";

const tokenBytesMax = 8 * 1024;
const signInSchema = z.strictObject({ token: z.string().min(1).max(4_000) });

export interface SessionRouterOptions {
  readonly sessions: ControlSessions;
  readonly guesses: TokenGuesses;
  readonly cookie: SessionCookie;
  /** Compares in constant time. */
  readonly verifyToken: (token: string, network: string) => Promise<boolean>;
  readonly addressOf: ClientAddressOf;
  readonly logger: Logger;
}

/** Whether a request comes from a page of this gateway with a valid session, so that it needs no token. */
export function createSessionCheck(
  options: Pick<SessionRouterOptions, "sessions" | "cookie">,
): (request: IncomingMessage) => boolean {
  return (request) => readSession(options, request) !== null;
}

/**
 * The sign-in of the gateway's pages. Mounted at `/control`, before whatever asks for the token.
 *
 * | route | |
 * |---|---|
 * | `POST /session` | `{token}`, the control token: 200 `{expiresAt}`, and a cookie in its place |
 * | `GET /session` | `{expiresAt}`; 401 when nobody is signed in |
 * | `DELETE /session` | 204: signed out |
 */
export function createSessionRouter(options: SessionRouterOptions): Router {
  const { sessions, guesses, cookie, verifyToken, addressOf, logger } = options;
  const router = express.Router();
  router.use("/session", (_request, response, next) => {
    response.setHeader("Cache-Control", "no-store");
    next();
  });

  router.post("/session", express.json({ limit: tokenBytesMax }), async (request, response) => {
    if (!isFromPage(request)) return writeProblem(response, notFromPage);
    const wanted = signInSchema.safeParse(request.body);
    if (!wanted.success) return writeProblem(response, { ...unreadable, status: 400 });
    const address = addressOf(request);
    const network = networkOf(address);
    const lockedSeconds = guesses.begin(network);
    if (lockedSeconds > 0) return refuseForNow(response, lockedSeconds);
    if (!(await verifyToken(wanted.data.token, network))) {
      logger.warn({ address }, "gateway.sign_in_failed");
      return writeProblem(response, { ...wrongToken, status: 401 });
    }
    guesses.reset(network);
    const before = cookie.read(request);
    if (before !== null) sessions.close(before);
    const { id, expiresAt } = sessions.open();
    cookie.write(response, id, sessionLifeMs / 1_000);
    logger.info({ address }, "gateway.signed_in");
    response.json({ expiresAt });
  });

  router.get("/session", (request, response) => {
    const expiresAt = readSession(options, request);
    if (expiresAt === null) return writeProblem(response, notSignedIn);
    response.json({ expiresAt });
  });

  router.delete("/session", (request, response) => {
    if (!isFromPage(request)) return writeProblem(response, notFromPage);
    const id = cookie.read(request);
    if (id !== null) sessions.close(id);
    cookie.clear(response);
    response.status(204).end();
  });

  router.use("/session", handleFailure);
  return router;
}

/** Returns null if the request has no session. */
function readSession(
  { sessions, cookie }: Pick<SessionRouterOptions, "sessions" | "cookie">,
  request: IncomingMessage,
): Date | null {
  const id = isFromPage(request) ? cookie.read(request) : null;
  return id === null ? null : sessions.find(id);
}

function isFromPage(request: IncomingMessage): boolean {
  return request.headers[pageHeader] === "1";
}

const notFromPage: Problem = {
  status: 403,
  code: "gateway.not_from_page",
  title: "The request does not come from the pages",
  detail: "Sessions are for the pages of this side. A program sends Authorization: Bearer with GATEWAY_CONTROL_TOKEN.",
};
const notSignedIn: Problem = {
  status: 401,
  code: "gateway.not_signed_in",
  title: "Nobody is signed in",
  detail: "Sign in with the value of GATEWAY_CONTROL_TOKEN.",
};
const wrongToken = {
  code: "gateway.sign_in_failed",
  title: "Signing in failed",
  detail: "This is not the value of GATEWAY_CONTROL_TOKEN.",
};
const unreadable = {
  code: "gateway.bad_request",
  title: "The request is not valid",
  detail: 'The body must be {"token": "…"}, as JSON.',
};

function refuseForNow(response: Response, seconds: number): void {
  const refusal: Problem = {
    status: 429,
    code: "gateway.sign_in_locked",
    title: "Too many wrong tokens",
    detail: `Too many wrong tokens came from this address. Try again in ${seconds} s.`,
  };
  writeProblem(response, refusal, { "Retry-After": String(seconds) });
}

/** The messages of `express.json` quote the body, which may contain the token. */
const handleFailure: ErrorRequestHandler = (error: unknown, _request: Request, response, next) => {
  if (error instanceof AppError && error.code === tooManyCandidates) return refuseForNow(response, 1);
  const status = unreadableStatus(error);
  if (status === null) return next(error);
  writeProblem(response, { ...unreadable, status });
};
