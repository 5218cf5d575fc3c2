import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import type { Outcome, Subject } from "./subject.ts";

const subjectFolder = new URL("subjects/", import.meta.url);
const expectedFolder = new URL("expected/", import.meta.url);
const subjectEnding = ".ndjson.br";

/** Subjects that were made in one way, with the bodies that they name. */
export interface Family {
  readonly name: string;
  readonly subjects: readonly Subject[];
  /** As they come over the wire. */
  readonly bodies: ReadonlyMap<string, Uint8Array>;
}

/** Every name that `readFamily` takes. */
export function familyNames(): readonly string[] {
  const files = readdirSync(subjectFolder).filter((file) => file.endsWith(subjectEnding));
  return files.map((file) => file.slice(0, -subjectEnding.length)).sort();
}

export function readFamily(name: string): Family {
  return parseFamily(name, unpackFamily(name));
}

/** The lines of a family as text. */
export function unpackFamily(name: string): string {
  return brotliDecompressSync(readFileSync(new URL(name + subjectEnding, subjectFolder))).toString("utf8");
}

/** Stores the lines of a family; a large window, since its views resemble each other. */
export function packFamily(name: string, text: string): void {
  parseFamily(name, text);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(text),
  };
  writeFileSync(new URL(name + subjectEnding, subjectFolder), brotliCompressSync(text, { params }));
}

/** How bodies are named: they are few, and a changed one is another one. */
export function bodyName(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex").slice(0, 12);
}

/** A line of a family: a body, as text or in base64 when it is none, or a subject. */
type Line = { readonly body: string; readonly text?: string; readonly base64?: string } | { readonly subject: Subject };

function parseFamily(name: string, text: string): Family {
  const bodies = new Map<string, Uint8Array>();
  const subjects: Subject[] = [];
  for (const json of text.split("\n").filter((part) => part !== "")) {
    const line = JSON.parse(json) as Line;
    if ("subject" in line) {
      subjects.push(line.subject);
      continue;
    }
    const bytes = line.base64 === undefined ? Buffer.from(line.text ?? "") : Buffer.from(line.base64, "base64");
    if (bodyName(bytes) !== line.body) throw new Error(`family ${name}: the body ${line.body} has another content`);
    bodies.set(line.body, bytes);
  }
  return { name, subjects, bodies };
}

const columns = "id\taction\tqueue\treasons\trule\tpriority\tdue by\tagain at\tseverity\trights";

/** Outcome lines by subject id. */
export function readExpected(family: string): ReadonlyMap<string, string> {
  const text = readFileSync(new URL(`${family}.tsv`, expectedFolder), "utf8");
  const lines = text.split("\n").filter((line) => line !== "" && line !== columns);
  return new Map(lines.map((line) => [line.slice(0, line.indexOf("\t")), line]));
}

export function writeExpected(family: string, lines: Iterable<string>): void {
  writeFileSync(new URL(`${family}.tsv`, expectedFolder), `${[columns, ...[...lines].sort()].join("\n")}\n`);
}

/** A line that a person can read in a difference; `-` where there is nothing. */
export function renderOutcome(id: string, outcome: Outcome): string {
  const { dueBy, againAt } = outcome;
  const cells = [
    outcome.action,
    outcome.queue,
    outcome.reasonCodes.join(","),
    outcome.rule,
    outcome.priority,
    dueBy === null ? null : `${renderTime(dueBy.at)} ${dueBy.clock}${renderFirm(dueBy)}`,
    againAt === null ? null : renderTime(againAt),
    outcome.severity,
    outcome.rights.join(","),
  ];
  return [id, ...cells.map((cell) => (cell === null || cell === "" ? "-" : cell))].join("\t");
}

function renderFirm({ at, firmAt }: NonNullable<Outcome["dueBy"]>): string {
  if (firmAt === null) return " (firm: none)";
  return firmAt.getTime() === at.getTime() ? "" : ` (firm: ${renderTime(firmAt)})`;
}

/** `2027-03-12T07:10Z`, with seconds only where there are any. */
function renderTime(time: Date): string {
  return time.toISOString().replace(/(:00)?\.000Z$/, "Z");
}
