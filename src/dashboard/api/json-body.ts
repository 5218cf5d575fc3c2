import { json, type Request, type RequestHandler } from "express";
import { z } from "zod";
import { type Problem, ProblemError } from "../../http/problem-document.ts";
import { describeIssues } from "./requests.ts";

/** As in the text of `api.body_too_large`. */
export const bodyBytesMax = 64 * 1024;

export function jsonBody(bytesMax: number = bodyBytesMax): RequestHandler {
  return json({ limit: bytesMax, type: "application/json" });
}

/** The body that `jsonBody` has parsed. @throws ProblemError if its content type is not JSON */
export function bodyOf(request: Request): unknown {
  const body: unknown = request.body;
  if (body !== undefined) return body;
  throw new ProblemError({
    status: 415,
    code: "api.not_json_type",
    title: "JSON is needed",
    detail: "Send a JSON object with the header Content-Type: application/json.",
  });
}

export function refuseBody(error: z.ZodError, schema: z.ZodType): Problem {
  const allowed = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const problems = describeIssues(error, allowed, true);
  return {
    status: 422,
    code: "api.body_invalid",
    title: "The body is not what this takes",
    detail: problems.map(({ path, message }) => `${path === "" ? "The body" : path}: ${message}`).join("; "),
    extensions: { problems },
  };
}
