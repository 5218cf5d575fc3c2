import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type Scalar,
} from "yaml";
import { messageOf } from "../kernel/app-error.ts";
import { findTooDeep } from "./nesting-depth.ts";
import type { TextPosition } from "./text-position.ts";

/** The most characters of a policy, far beyond what a person can read. Bounds the work. */
const textLengthMax = 262_144;

/** The most expansions of YAML aliases, so that a short text cannot unfold into a huge one. */
const aliasCountMax = 100;

/** The most levels of a policy, of which one that a person writes has ten. */
const depthMax = 100;

export type DocumentPath = readonly (string | number)[];

/** The plain values of a YAML text, with the position of each in the text. */
export interface PolicyDocument {
  readonly data: unknown;
  /** Returns the position of the value at `path`, or of the nearest value around it. */
  positionOf(path: DocumentPath): TextPosition;
  /** Returns the position of the key that leads to `path`. */
  positionOfKey(path: DocumentPath): TextPosition;
  /** Returns the position of a character of the string at `path`, however the string is quoted or folded. */
  positionInString(path: DocumentPath, offset: number): TextPosition;
}

export type ReadDocumentResult =
  | { readonly ok: true; readonly document: PolicyDocument }
  | { readonly ok: false; readonly problems: readonly (TextPosition & { readonly message: string })[] };

/** Reads YAML 1.2. Rejects several documents, repeated keys, unknown tags and long texts. */
export function readPolicyDocument(text: string): ReadDocumentResult {
  if (text.length > textLengthMax) {
    const message = `The policy has ${text.length} characters, the limit is ${textLengthMax}. Split it by source.`;
    return { ok: false, problems: [{ line: 1, column: 1, message }] };
  }
  const tooDeep = findTooDeep(text, depthMax);
  if (tooDeep !== null) {
    const message = `The policy nests deeper than ${depthMax} levels here. Write it with fewer.`;
    return { ok: false, problems: [{ ...tooDeep, message }] };
  }
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const at = (offset: number): TextPosition => positionAt(lineCounter, offset);

  const complaints = [...document.errors, ...document.warnings];
  if (complaints.length > 0) {
    const problems = complaints.map(({ code, message, pos }) => ({
      ...at(pos[0]),
      message: adviseOnYaml(code, message),
    }));
    return { ok: false, problems };
  }
  try {
    const data: unknown = document.toJS({ maxAliasCount: aliasCountMax });
    return { ok: true, document: { data, ...positionsIn(text, document, at) } };
  } catch (error) {
    const message = `The YAML aliases cannot be expanded (${messageOf(error)}). Write the repeated parts out.`;
    return { ok: false, problems: [{ line: 1, column: 1, message }] };
  }
}

function adviseOnYaml(code: string, message: string): string {
  switch (code) {
    case "TAG_RESOLVE_FAILED":
      return 'YAML reads a leading ! as a tag. Put a condition that starts with ! in quotes: when: "!dateChanged".';
    case "DUPLICATE_KEY":
      return "This key is written twice in the same place. Keep one of them.";
    case "MULTIPLE_DOCS":
      return "The file holds several YAML documents. Keep one policy in a file and remove the --- between them.";
    case "BLOCK_AS_IMPLICIT_KEY":
      return `Not valid YAML: ${message}. Put text that contains ": " in quotes, or on its own lines after >-.`;
    default:
      return `Not valid YAML: ${message}. Check the indentation and the quotes here.`;
  }
}

function positionAt(lineCounter: LineCounter, offset: number): TextPosition {
  const { line, col } = lineCounter.linePos(offset);
  return { line: Math.max(line, 1), column: Math.max(col, 1) };
}

function positionsIn(
  text: string,
  document: Document.Parsed,
  at: (offset: number) => TextPosition,
): Omit<PolicyDocument, "data"> {
  return {
    positionOf: (path) => at(locate(document, path).value?.range?.[0] ?? 0),
    positionOfKey: (path) => {
      const { key, value } = locate(document, path);
      return at((key ?? value)?.range?.[0] ?? 0);
    },
    positionInString: (path, offset) => {
      const { value } = locate(document, path);
      const start = value?.range?.[0] ?? 0;
      return at(isScalar(value) ? (offsetInSource(text, value, offset) ?? start) : start);
    },
  };
}

function locate(document: Document.Parsed, path: DocumentPath): { key: Node | null; value: Node | null } {
  let value: Node | null = document.contents;
  let key: Node | null = null;
  for (const step of path) {
    const within: unknown = isAlias(value) ? value.resolve(document) : value;
    if (isMap<Node, Node | null>(within)) {
      const pair = within.items.find((item) => isScalar(item.key) && item.key.value === step);
      if (pair === undefined) break;
      key = pair.key;
      value = pair.value ?? pair.key;
    } else if (isSeq<Node>(within) && typeof step === "number" && within.items[step] !== undefined) {
      key = null;
      value = within.items[step];
    } else break;
  }
  return { key, value };
}

/** Folding changes only white space, so visible characters correspond. Null if they differ, as after an escape. */
function offsetInSource(text: string, scalar: Scalar, offset: number): number | null {
  const { value, range, type } = scalar;
  if (typeof value !== "string" || range === null || range === undefined) return null;

  const isBlock = type === "BLOCK_FOLDED" || type === "BLOCK_LITERAL";
  const isQuoted = type === "QUOTE_DOUBLE" || type === "QUOTE_SINGLE";
  let at = isBlock ? text.indexOf("\n", range[0]) + 1 : range[0] + (isQuoted ? 1 : 0);
  for (let index = 0; index < value.length; index++) {
    if (isBlank(value[index]!)) {
      if (index === offset) return at;
      continue;
    }
    while (at < range[1] && isBlank(text[at]!)) at++;
    if (text[at] !== value[index]) return null;
    if (index === offset) return at;
    at++;
  }
  return at;
}

function isBlank(character: string): boolean {
  return character === " " || character === "\n" || character === "\r" || character === "\t";
}
