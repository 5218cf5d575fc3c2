import type { z } from "zod";

/** What is wrong with a query or a body: the place and a sentence, one for each problem. */
export interface RequestProblem {
  /** The parameter, or a JSON Pointer into the body. */
  readonly path: string;
  readonly message: string;
}

/** The problems that zod found, in its own words. */
export function problemsIn(error: z.ZodError): RequestProblem[] {
  return error.issues.map(({ path, message }) => ({ path: toPointer(path), message }));
}

/** @see RFC 6901 section 3 */
export function toPointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
