import type { Response } from "express";
import type { z } from "zod";
import { writeProblem } from "../kernel/problem-document.ts";

/** The input as the schema reads it; null when it does not fit, and that has been answered. */
export function parseRequest<T>(schema: z.ZodType<T>, input: unknown, response: Response): T | null {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => ({
    path: issue.path.map((part) => `/${String(part)}`).join(""),
    message: issue.message,
  }));
  writeProblem(response, {
    status: 400,
    code: "sender.bad_request",
    title: "The request is not valid",
    detail: problems.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)).join("; "),
    extensions: { problems },
  });
  return null;
}
