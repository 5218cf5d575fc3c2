import { json, type Request, type Response } from "express";
import type { z } from "zod";
import { writeProblem } from "../../kernel/problem-document.ts";
import { describeIssues } from "./requests.ts";

/** As in the text of `api.body_too_large`. */
const bodyBytesMax = 64 * 1024;

/** Parses a JSON body; for routes that read it with `readBody`. */
export const parseJsonBody = json({ limit: bodyBytesMax, type: "application/json" });

/** For bodies that name many cases. */
export const parseLongJsonBody = json({ limit: 4 * bodyBytesMax, type: "application/json" });

/** What a body that the schema refuses is called. */
const wrongBody = { code: "api.body_invalid", title: "The body is not what this takes" };

/**
 * The body of a request as its schema reads it; null when it is wrong, and then the problem has been answered.
 *
 * @param wrong the code and title of that problem, for routes whose bodies have a name of their own.
 */
export function readBody<Schema extends z.ZodObject>(
  request: Request,
  response: Response,
  schema: Schema,
  wrong: { readonly code: string; readonly title: string } = wrongBody,
): z.output<Schema> | null {
  if (request.body === undefined) {
    writeProblem(response, {
      status: 415,
      code: "api.not_json_type",
      title: "JSON is needed",
      detail: "Send a JSON object with the header Content-Type: application/json.",
    });
    return null;
  }
  const body = schema.safeParse(request.body);
  if (body.success) return body.data;
  const problems = describeIssues(body.error, Object.keys(schema.shape), true);
  writeProblem(response, {
    status: 422,
    code: wrong.code,
    title: wrong.title,
    detail: problems.map(({ path, message }) => `${path === "" ? "The body" : path}: ${message}`).join("; "),
    extensions: { problems },
  });
  return null;
}
