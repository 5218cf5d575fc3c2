import { isRecord } from "../../kernel/record.ts";
import { listOf, member } from "../lenient-value.ts";
import type { ReadRequest, RequestProblem } from "./operation.ts";

/**
 * Makes a `readRequest` of a function that reads what stands under the root and calls `refuseRequest` for what it cannot
 * take. Code: `request.no_root`.
 */
export function requestReader<Query>(
  root: string,
  read: (content: object) => Query,
): (json: unknown) => ReadRequest<Query> {
  return (json) => {
    try {
      const content = member(json, root);
      if (!isRecord(content)) refuseRequest("request.no_root", "", `The request has no root object ${root}.`);
      return { ok: true, query: read(content) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { path, ...problem } = error.problem;
      return { ok: false, problem: { ...problem, path: `/${root}${path}` } };
    }
  };
}

/** INVALID_BOOKING_INPUT in the gateway's table. */
export const invalidBookingInput = 29;

/**
 * Leaves the reader: nothing of a request counts if a part of it is refused.
 * @param code stable, begins with `request.`
 * @param path JSON Pointer (RFC 6901) from the root to what is wrong.
 */
export function refuseRequest(
  code: string,
  path: string,
  message: string,
  businessCode: number = invalidBookingInput,
): never {
  throw new Refusal({ code, path, message, businessCode });
}

class Refusal extends Error {
  readonly problem: RequestProblem;

  constructor(problem: RequestProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** Each element with its path. What stands alone instead of a list has no position. */
export function elementsAt(path: string, list: unknown): readonly (readonly [element: unknown, path: string])[] {
  return listOf(list).map((element, position) => [element, Array.isArray(list) ? `${path}/${position}` : path]);
}
