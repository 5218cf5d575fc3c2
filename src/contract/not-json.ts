import type { ContractProblem } from "./contract-problem.ts";
import { exceedsJsonBounds, orderViewBounds } from "./json-complexity.ts";

/** The problem of a body that is not JSON. Its message states what it is instead, as far as its bytes tell, and what to send. */
export function notJson(body: Uint8Array): ContractProblem {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const known = otherForms.find(({ holds }) => holds(bytes, beginningOf(bytes)));
  const message = "The body is not JSON in UTF-8.";
  return { code: "ocn.not_json", path: "", message: known === undefined ? message : `${message} ${known.description}` };
}

interface OtherForm {
  readonly description: string;
  /** @param text the first characters without blanks, one for each byte */
  readonly holds: (bytes: Buffer, text: string) => boolean;
}

const otherForms: readonly OtherForm[] = [
  { description: "It is empty. Send the order view.", holds: (_, text) => text === "" },
  { description: "It is in UTF-32. Send it in UTF-8.", holds: (bytes) => startsWith(bytes, "fffe0000", "0000feff") },
  {
    description: "It is in UTF-16. Send it in UTF-8.",
    holds: (bytes) => startsWith(bytes, "fffe", "feff") || (bytes[0] === 0) !== (bytes[1] === 0),
  },
  {
    description: "It is compressed with gzip. Send it as it is, or compressed once with Content-Encoding: gzip.",
    holds: (bytes) => startsWith(bytes, "1f8b"),
  },
  {
    description: "It is compressed with zstd. Send it as it is, or compressed with gzip, br or deflate.",
    holds: (bytes) => startsWith(bytes, "28b52ffd"),
  },
  { description: "It is a ZIP archive. Send the JSON itself.", holds: (bytes) => startsWith(bytes, "504b0304") },
  { description: "It is HTML. Send the order view as JSON.", holds: (_, text) => /^<(?:!doctype )?html/i.test(text) },
  { description: "It is XML. Send the order view as JSON.", holds: (_, text) => /^<[?!\w]/.test(text) },
  {
    description: "It is a form of several parts. Send the JSON itself as the body.",
    holds: (_, text) => /^--[^\r\n]+\r?\n[\w-]+:/.test(text),
  },
  {
    description: "It is a form. Send the JSON itself as the body.",
    holds: (_, text) => /^[\w.[\]%-]+=[^=]/.test(text),
  },
  {
    description: "It is JSON in base64. Send the JSON itself.",
    holds: (bytes) => jsonInBase64(bytes.toString("latin1")) !== null,
  },
  {
    description: "It is JSON in another character encoding. Send it in UTF-8.",
    holds: (bytes) => isJson(bytes.toString("latin1")),
  },
  {
    description: "It is several JSON texts, one after the other. Send each by itself, or all in one list.",
    holds: (bytes) => isSeveralTexts(bytes.toString("latin1")),
  },
];

/** The parsed value of a text that is the base64 of a JSON object or list; null if it is none. */
export function jsonInBase64(text: string): object | null {
  // `{"` and `[{` begin so, and with a blank or a line break in between.
  if (!/^\s*(?:ey|ew|W[3wys])[\w+/-]{6,}=*\s*$/.test(text)) return null;
  return jsonObjectIn(Buffer.from(text, "base64").toString("utf8"));
}

/** The parsed object or list of a JSON text; null if it is none, or more than any order view. */
export function jsonObjectIn(text: string): object | null {
  if (!/^\ufeff?\s*[[{]/.test(text) || exceedsJsonBounds(Buffer.from(text), orderViewBounds)) return null;
  try {
    return JSON.parse(text.replace(/^\ufeff/, "")) as object;
  } catch {
    return null;
  }
}

/** Whether bytes begin as a JSON text may, so that what counts its brackets says something. */
export function beginsLikeJson(bytes: Uint8Array): boolean {
  const [first] = beginningOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  return first !== undefined && /[[{"\d\w-]/.test(first);
}

const looksAt = 256;

function beginningOf(bytes: Buffer): string {
  const from = startsWith(bytes, "efbbbf") ? 3 : 0;
  return bytes
    .subarray(from, from + looksAt)
    .toString("latin1")
    .trimStart();
}

function startsWith(bytes: Buffer, ...signatures: readonly string[]): boolean {
  return signatures.some((signature) => bytes.subarray(0, signature.length / 2).toString("hex") === signature);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function isSeveralTexts(text: string): boolean {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  return lines.length > 1 && lines.slice(0, 2).every((line) => jsonObjectIn(line) !== null);
}
