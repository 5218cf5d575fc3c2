import type { Request, RequestHandler, Response } from "express";
import type { z } from "zod";
import { writeProblem } from "../../kernel/problem-document.ts";
import { describeIssues } from "./requests.ts";

/**
 * The query of a request as its schema reads it; null when it is wrong, and then the problem has been answered.
 * A parameter without a value, as forms send it, counts as not given.
 */
export function readQuery<Schema extends z.ZodObject>(
  request: Request,
  response: Response,
  schema: Schema,
): z.output<Schema> | null {
  const given = Object.entries(request.query).filter(([, value]) => value !== "");
  const parsed = schema.safeParse(Object.fromEntries(given));
  if (parsed.success) return parsed.data;
  const problems = describeIssues(parsed.error, Object.keys(schema.shape), false);
  writeProblem(response, {
    status: 400,
    code: "api.query_invalid",
    title: "The query cannot be read",
    detail: problems.map(({ path, message }) => `'${path}' ${message}`).join("; "),
    extensions: { problems },
  });
  return null;
}

export function writeBadCursor(response: Response): void {
  writeProblem(response, {
    status: 400,
    code: "api.cursor_invalid",
    title: "The cursor cannot be read",
    detail:
      "'cursor' must be the nextCursor of an earlier answer of this list. Leave it out to start at the beginning.",
  });
}

export function writeNotFound(
  response: Response,
  what: "case" | "notification" | "order" | "call" | "task" | "bulk action",
  id: string,
): void {
  writeProblem(response, {
    status: 404,
    code: `api.${what.replace(" ", "_")}_not_found`,
    title: `No such ${what}`,
    detail: `There is no ${what} with the id '${id.slice(0, 64)}'${what === "call" ? " of which an answer is stored" : ""}.`,
  });
}

/** Answers every method that the route does not have. */
export function refuseMethod(allow: string): RequestHandler {
  return (request, response) => {
    writeProblem(
      response,
      {
        status: 405,
        code: "api.method_not_allowed",
        title: "Method not allowed",
        detail: `${request.method} is not possible here; use ${allow}.`,
      },
      { Allow: allow },
    );
  };
}
