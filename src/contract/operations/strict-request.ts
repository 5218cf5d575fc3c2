import type { z } from "zod";
import { type Envelope, requestVersion } from "../envelope.ts";
import type { Operation, RequestProblem } from "./operation.ts";
import { invalidBookingInput } from "./request-reader.ts";

/** A request as it came over the wire. */
export interface SentRequest {
  /** The path of the URL, without a query. */
  readonly path: string;
  /** The header, if there is one. */
  readonly contentType: string | undefined;
  readonly body: Uint8Array;
}

/**
 * Holds a request to what the contract shows, without the tolerance of `readRequest`: path, Content-Type, every required
 * member, every type and value, no other member, each member once, version. What is read must be what was sent: the
 * contract makes the same request of it. Returns the first problem, or null. Codes: those of `readRequest`,
 * `request.path`, `request.content_type`, `request.not_json`, `request.missing_member`, `request.unknown_member`,
 * `request.repeated_member`, `request.value`, `request.version`.
 */
export function findStrictProblem(
  operation: Pick<Operation, "path" | "requestRoot" | "requestSchema" | "request" | "readRequest">,
  sent: SentRequest,
): RequestProblem | null {
  if (sent.path !== operation.path) {
    return problem("request.path", "", `The path is not ${operation.path}: send it without a slash at the end.`);
  }
  if (!isJson(sent.contentType)) {
    return problem("request.content_type", "", "The Content-Type is not application/json: send this header.");
  }
  const parsed = parseExactly(sent.body);
  if (!parsed.ok) {
    return problem("request.not_json", "", "The body is not JSON in UTF-8 without a byte order mark.");
  }
  const [issue] = operation.requestSchema.safeParse(parsed.value).error?.issues ?? [];
  if (issue !== undefined) return memberProblem(issue, parsed.value);
  const versionPath = [operation.requestRoot, "Document", "ReferenceVersion"];
  const version = valueAt(parsed.value, versionPath);
  if (version !== undefined && version !== requestVersion) {
    const message = `It is not the version of requests: send "${requestVersion}".`;
    return problem("request.version", pointer(versionPath), message);
  }
  const repeated = findRepeatedMember(parsed.text);
  if (repeated !== null) {
    return problem("request.repeated_member", pointer(repeated), "Its object has it more than once: send it once.");
  }
  const read = operation.readRequest(parsed.value);
  if (!read.ok) return read.problem;
  const changed = findChange(contentOf(parsed.value), contentOf(operation.request(read.query, anyEnvelope)));
  if (changed === null) return null;
  const message =
    "It is not read as it stands: send each value by itself and once, without blanks or commas around it.";
  return problem("request.value", pointer([operation.requestRoot, ...changed]), message);

  /** What is read of a request. */
  function contentOf(request: unknown): Record<string, unknown> {
    const { Document: _, Party: __, ...content } = valueAt(request, [operation.requestRoot]) as Record<string, unknown>;
    return content;
  }
}

const anyEnvelope: Envelope = { documentName: "", agencyName: "", iataNumber: "", agencyId: "", contactEmails: [] };

/** Returns the path of the first value that the other one has not. */
function findChange(sent: unknown, other: unknown): Path | null {
  if (typeof sent !== "object" || sent === null) return sent === other ? null : [];
  for (const [key, value] of Object.entries(sent)) {
    const changed = findChange(value, valueAt(other, [key]));
    if (changed !== null) return [key, ...changed];
  }
  return null;
}

/**
 * Returns the path of the first member that its object has for the second time, of which JSON.parse says nothing.
 * @param json valid JSON.
 */
function findRepeatedMember(json: string): Path | null {
  const open: { readonly names: Set<string>; at: string | number }[] = [];
  for (const [token, name] of json.matchAll(namesAndBrackets)) {
    const inner = open.at(-1);
    if (token === "{" || token === "[") open.push({ names: new Set(), at: 0 });
    else if (token === "}" || token === "]") open.pop();
    else if (inner === undefined) continue;
    else if (name !== undefined) {
      inner.at = JSON.parse(name) as string;
      if (inner.names.has(inner.at)) return open.map(({ at }) => at);
      inner.names.add(inner.at);
    } else if (token === "," && typeof inner.at === "number") inner.at += 1;
  }
  return null;
}

/** Strings are matched, too, so that nothing within them is. */
const namesAndBrackets = /("[^"\\]*(?:\\.[^"\\]*)*")\s*:|"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},]/g;

function problem(code: string, path: string, message: string): RequestProblem {
  return { code, path, message, businessCode: invalidBookingInput };
}

/** Other parameters than `charset=utf-8` would mean another text. */
function isJson(contentType: string | undefined): boolean {
  return /^\s*application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(contentType ?? "");
}

/** Unlike `parseJson`, leaves a long number a number, so that it is no text. */
function parseExactly(body: Uint8Array) {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
    return { ok: true, text, value: JSON.parse(text) as unknown } as const;
  } catch {
    return { ok: false } as const;
  }
}

type Issue = z.core.$ZodIssue;
type Path = Issue["path"];

function memberProblem(issue: Issue, body: unknown): RequestProblem {
  if (issue.code === "unrecognized_keys") {
    const path = pointer([...issue.path, issue.keys[0] ?? ""]);
    return problem("request.unknown_member", path, "The contract has no such member here: leave it out.");
  }
  const path = pointer(issue.path);
  if (valueAt(body, issue.path) === undefined) {
    return problem("request.missing_member", path, `It is missing: send it${otherSpelling(issue.path, body)}.`);
  }
  return problem("request.value", path, whatIsWrong(issue));
}

/** Names the caller's own spelling, because that is the commonest reason. */
function otherSpelling(path: Path, body: unknown): string {
  const name = String(path.at(-1));
  const siblings = Object.keys(valueAt(body, path.slice(0, -1)) ?? {});
  const found = siblings.find((sibling) => sibling.toLowerCase() === name.toLowerCase());
  return found === undefined ? "" : ` in this letter case, not as ${found}`;
}

function whatIsWrong(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return `It is of another type: send ${typeNames[issue.expected] ?? issue.expected}.`;
    case "invalid_value":
      return `It has another value: send one of ${issue.values.map(String).join(", ")}.`;
    case "too_small":
      return issue.origin === "array" ? "It is empty: send at least one element." : "It is empty: send its value.";
    case "invalid_format":
      return `It has another form: send text that matches ${issue.pattern ?? issue.format}.`;
    default:
      return "It is not as the contract shows it.";
  }
}

const typeNames: Readonly<Record<string, string>> = {
  string: "text",
  array: "a list",
  object: "an object",
};

function valueAt(body: unknown, path: Path): unknown {
  return path.reduce(
    (value: unknown, key) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, key)
        ? (value as Record<PropertyKey, unknown>)[key]
        : undefined,
    body,
  );
}

/** JSON Pointer (RFC 6901). A key of the caller is cut. */
function pointer(path: Path): string {
  return path.map((key) => `/${String(key).slice(0, 80).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
