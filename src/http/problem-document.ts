import type { ServerResponse } from "node:http";
import type { z } from "zod";
import type { problemSchema } from "../contract/openapi/problem-schema.ts";
import { refusalDelayMs } from "./refusal-delay.ts";

export type ProblemDocument = Readonly<z.infer<typeof problemSchema>>;

export interface Problem extends Pick<ProblemDocument, "title" | "status" | "code" | "detail"> {
  /** Further members, such as `path`. They can't replace the members above. */
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** Thrown while a request is read; the router responds with the problem. */
export class ProblemError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.name = "ProblemError";
    this.problem = problem;
  }
}

/** An RFC 9457 document. Its `type` is a URN, which can't be opened. */
export function toProblemDocument(problem: Problem): ProblemDocument {
  return {
    ...problem.extensions,
    type: `urn:skedchange:problem:${problem.code}`,
    title: problem.title,
    status: problem.status,
    code: problem.code,
    detail: problem.detail,
  };
}

/** The codes of the problems that were sent, for the log. */
const sentCodes = new WeakMap<ServerResponse, string>();

/** Returns the code of the problem that was sent; null if none was. */
export function problemCodeOf(response: ServerResponse): string | null {
  return sentCodes.get(response) ?? null;
}

/**
 * Writes the problem, uncached. Does nothing if a response has begun or the caller is gone. Where many
 * are refused, the response comes a second later: see `refusalDelayMs`.
 */
export function writeProblem(
  response: ServerResponse,
  problem: Problem,
  headers: Readonly<Record<string, string | readonly string[]>> = {},
): void {
  if (response.headersSent || response.destroyed) return;
  sentCodes.set(response, problem.code);
  const body = Buffer.from(JSON.stringify(toProblemDocument(problem)));
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader("Content-Type", "application/problem+json");
  response.setHeader("Content-Length", body.length);
  response.setHeader("Cache-Control", "no-store");
  response.statusCode = problem.status;
  const delayMs = refusalDelayMs(response.socket, problem.status);
  if (delayMs === 0) response.end(body);
  else setTimeout(() => response.end(body), delayMs);
}
