import type { z } from "zod";

/** What is wrong with a query or a body: the place and a sentence, one for each problem. */
export interface RequestProblem {
  /** The parameter, or a JSON Pointer into the body. */
  readonly path: string;
  readonly message: string;
}

export function problemsIn(error: z.ZodError): RequestProblem[] {
  return error.issues.flatMap((issue) => {
    if (issue.code !== "unrecognized_keys") return [{ path: toPointer(issue.path), message: sentenceOf(issue) }];
    return issue.keys.map((key) => ({ path: toPointer([...issue.path, key]), message: "is not known here" }));
  });
}

/** `/flights/0/from: must have at least 3 characters; /kind: is missing` */
export function describeProblems(problems: readonly RequestProblem[]): string {
  return problems.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)).join("; ");
}

/** Words an issue of zod as a sentence. A message that our schemas give stays as it is. */
function sentenceOf(issue: z.core.$ZodIssue): string {
  const { message } = issue;
  if (message.endsWith("received undefined") || isMissingInAll(issue)) return "is missing";
  switch (issue.code) {
    case "invalid_type":
      return message.startsWith("Invalid input") ? `must be ${kindOf(issue.expected)}` : message;
    case "invalid_value":
      return /^Invalid (?:input|option)/.test(message) ? `must be one of ${issue.values.join(", ")}` : message;
    case "too_small":
      return message.startsWith("Too small") ? `must ${sizeOf("at least", issue.origin, issue.minimum)}` : message;
    case "too_big":
      return message.startsWith("Too big") ? `must ${sizeOf("at most", issue.origin, issue.maximum)}` : message;
    case "invalid_union":
      return message === "Invalid input" ? "is none of what this can be" : message;
    default:
      return message;
  }
}

/** A union reports what is missing once for each of its alternatives. */
function isMissingInAll(issue: z.core.$ZodIssue): boolean {
  return (
    issue.code === "invalid_union" &&
    issue.errors.length > 0 &&
    issue.errors.every(([first]) => first !== undefined && first.message.endsWith("received undefined"))
  );
}

function kindOf(expected: string): string {
  if (expected === "int") return "a whole number";
  return /^[aeio]/.test(expected) ? `an ${expected}` : expected === "string" ? "a text" : `a ${expected}`;
}

function sizeOf(bound: string, origin: string, size: number | bigint): string {
  if (origin === "string") return `have ${bound} ${size} ${size === 1 ? "character" : "characters"}`;
  if (origin === "array") return `have ${bound} ${size} ${size === 1 ? "item" : "items"}`;
  return `be ${bound} ${size}`;
}

/** @see RFC 6901 section 3 */
export function toPointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
