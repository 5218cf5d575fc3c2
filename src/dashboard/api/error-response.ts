import type { ErrorRequestHandler } from "express";
import { type Problem, writeProblem } from "../../http/problem-document.ts";
import { unreadableStatus } from "../../http/unreadable-status.ts";
import { AppError, codeOf, messageOf } from "../../kernel/app-error.ts";
import { isStoredBodyError, storedBodyErrors } from "../../kernel/stored-body-errors.ts";
import type { Logger } from "../../telemetry/logger.ts";

/** About as long as a restart of the database takes. */
const retryAfterSeconds = 5;

/** A bad request keeps its status, an outage becomes 503, anything else becomes 500 and is logged. */
export function createErrorHandler(logger: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    const bad = describeBadRequest(error);
    if (bad !== null) {
      writeProblem(response, bad);
      return;
    }
    // Without the query, which holds order ids.
    logger.error({ method: request.method, path: request.path, error }, "api.failed");
    const unreadable = describeUnreadable(codeOf(error));
    if (unreadable !== null) {
      writeProblem(response, unreadable);
      return;
    }
    if (isOutage(error)) {
      writeProblem(
        response,
        {
          status: 503,
          code: "api.unavailable",
          title: "Temporarily unavailable",
          detail:
            "A part that this needs, such as the database, cannot be reached. Try again shortly; /readyz names it.",
        },
        { "Retry-After": String(retryAfterSeconds) },
      );
      return;
    }
    writeProblem(response, {
      status: 500,
      code: "api.unexpected",
      title: "Something went wrong",
      detail: "This is a bug. The log of the server has a line 'api.failed' with the details.",
    });
  };
}

/** Errors of Express and its body parser about the request. */
function describeBadRequest(error: unknown) {
  if (!(error instanceof Error)) return null;
  const type = "type" in error ? error.type : undefined;
  switch (unreadableStatus(error)) {
    case 413:
      return {
        status: 413,
        code: "api.body_too_large",
        title: "The body is too large",
        detail: `Send at most ${"limit" in error && typeof error.limit === "number" ? error.limit / 1024 : 64} KiB.`,
      };
    case 415:
      return {
        status: 415,
        code: "api.unsupported_encoding",
        title: "Unsupported encoding",
        detail: "Send JSON in UTF-8; Content-Encoding may be gzip, deflate or br.",
      };
    case 400:
      return type === "entity.parse.failed"
        ? { status: 400, code: "api.not_json", title: "The body is not JSON", detail: "Send one JSON object." }
        : {
            status: 400,
            code: "api.bad_request",
            title: "The request cannot be read",
            detail: "Its path or body is malformed or incomplete.",
          };
    default:
      return null;
  }
}

/** Not our bug: the database holds something that this process cannot read, or should not. */
function describeUnreadable(code: string): Problem | null {
  if (!isStoredBodyError(code)) return null;
  const log = "The log has a line 'api.failed' that says which.";
  return code === storedBodyErrors.cannotOpen
    ? {
        status: 500,
        code,
        title: "What is stored cannot be read",
        detail: `This process lacks the key or is too old for it. ${log}`,
      }
    : {
        status: 500,
        code,
        title: "What is stored was changed",
        detail: `It is not what was written there, so somebody or something else has written to the database. Nothing of it is shown. ${log}`,
      };
}

/** SQLSTATE classes and system errors of an outage. @see PostgreSQL manual, appendix A */
const outageCode =
  /^(?:08...|53...|57P0[1-4]|57014|ECONNREFUSED|ECONNRESET|ENOENT|ENOTFOUND|EPIPE|ETIMEDOUT|EAI_AGAIN)$/;
const outageMessage =
  /connection terminated|connection error and is not queryable|timeout exceeded when trying to connect|connect timeout/i;

function isOutage(error: unknown): boolean {
  if (error instanceof AppError) return error.retryable;
  return outageCode.test(codeOf(error)) || outageMessage.test(messageOf(error));
}
