import type { ServerResponse } from "node:http";

/** What is answered instead of what was asked for. */
export interface Problem {
  /** HTTP status, 400 to 599. */
  readonly status: number;
  /** Stable, dotted, lower case: `receiver.body_too_long`. Callers branch on it. */
  readonly code: string;
  /** What kind of problem it is: the same sentence for every problem with this code. */
  readonly title: string;
  /** What happened this time and what to do. Holds no secret and no passenger's name. */
  readonly detail: string;
  /** Further members, such as the `path` in a body. They cannot replace the members above. */
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** Thrown where a request is read, for what reads it to answer. */
export class ProblemError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.name = "ProblemError";
    this.problem = problem;
  }
}

/** A problem as it goes over the wire. */
export interface ProblemDocument {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly [extension: string]: unknown;
}

/** The problem as an RFC 9457 document. Its `type` is a URN: it names the problem and is not meant to be opened. */
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

/**
 * Answers with the problem, never cached. Does nothing when an answer was already begun or the caller has gone, so that
 * a late failure cannot break an answer that is on its way.
 */
export function writeProblem(
  response: ServerResponse,
  problem: Problem,
  headers: Readonly<Record<string, string | readonly string[]>> = {},
): void {
  if (response.headersSent || response.destroyed) return;
  const body = Buffer.from(JSON.stringify(toProblemDocument(problem)));
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader("Content-Type", "application/problem+json");
  response.setHeader("Content-Length", body.length);
  response.setHeader("Cache-Control", "no-store");
  response.statusCode = problem.status;
  response.end(body);
}
