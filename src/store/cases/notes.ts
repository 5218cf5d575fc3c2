import { createHash, randomBytes } from "node:crypto";
import { AppError, codeOf } from "../../kernel/app-error.ts";
import { isUnreadableBody, storedBodyErrors } from "../../kernel/stored-body-errors.ts";
import { type Encryption, type Place } from "../database/encryption.ts";

/**
 * A note is text that stands in the columns of notes and in the details of timelines, encrypted or not:
 * `skedchange:note:1:<digest>:<key>:<ciphertext>`. What is encrypted is 16 random bytes and the note, and the digest is
 * of both. The audit proves the digest, so a key can be replaced and a note cannot.
 */
const encryptedNote = /skedchange:note:1:([\w-]{43}):([\w.-]{1,40}):([\w-]+)/;

const saltBytes = 16;

/** One note stands in several rows, so it is not bound to one: the audit shows when notes were moved. */
const place: Place = { column: "note", row: "" };

/** Without a key the note stays as it is. */
export async function encryptNote<Note extends string | null>(encryption: Encryption, note: Note): Promise<Note> {
  if (note === null || encryption.currentKeyId === null) return note;
  return (await encryptSalted(encryption, Buffer.concat([randomBytes(saltBytes), Buffer.from(note, "utf8")]))) as Note;
}

/** Encrypts a note of any form with the current key. @throws `store.cannot_open` */
export async function reencryptNote(encryption: Encryption, note: string): Promise<string> {
  const salted = isEncrypted(note) ? await openSalted(encryption, note) : null;
  return salted === null ? await encryptNote(encryption, note) : await encryptSalted(encryption, salted);
}

/** A copy with all notes in clear. One that cannot be read says so. */
export async function openNotes<T>(encryption: Encryption, value: T): Promise<T> {
  const notes = new Map<string, string>();
  collectNotes(value, notes);
  if (notes.size === 0) return value;
  for (const note of notes.keys()) notes.set(note, await openOrExplain(encryption, note));
  return replaceNotes(value, notes) as T;
}

/** The text with all notes in clear. @throws `store.cannot_open` */
export async function openNotesInText(encryption: Encryption, text: string): Promise<string> {
  let opened = text;
  for (const [note] of text.matchAll(new RegExp(encryptedNote, "g"))) {
    const clear = await openNote(encryption, note);
    // A function, because `$` in a replacement has a meaning.
    opened = opened.replace(note, () => clear);
  }
  return opened;
}

function isEncrypted(text: string): boolean {
  return text.startsWith("skedchange:note:1:") && encryptedNote.exec(text)?.[0] === text;
}

async function encryptSalted(encryption: Encryption, salted: Buffer): Promise<string> {
  const { body, keyId } = await encryption.encrypt(salted, place);
  return `skedchange:note:1:${digestOf(salted)}:${keyId}:${body.toString("base64url")}`;
}

async function openNote(encryption: Encryption, note: string): Promise<string> {
  return (await openSalted(encryption, note)).subarray(saltBytes).toString("utf8");
}

async function openSalted(encryption: Encryption, note: string): Promise<Buffer> {
  const [, digest, keyId = "", ciphertext = ""] = encryptedNote.exec(note) ?? [];
  const row = { body: Buffer.from(ciphertext, "base64url"), bodyEncoding: "gzip", keyId };
  const salted = await encryption.open(row, place);
  if (digestOf(salted) === digest) return salted;
  throw new AppError(
    storedBodyErrors.misplaced,
    "A note is not the one that its digest says: somebody changed it in the database. `skedchange audit verify` names lines that were changed.",
  );
}

function digestOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("base64url");
}

/** The case must stay workable, so an unreadable note is no error. */
async function openOrExplain(encryption: Encryption, note: string): Promise<string> {
  try {
    return await openNote(encryption, note);
  } catch (error) {
    if (!isUnreadableBody(error)) throw error;
    return `(This note cannot be read: ${codeOf(error)}.)`;
  }
}

function collectNotes(value: unknown, notes: Map<string, string>): void {
  if (typeof value === "string") {
    if (isEncrypted(value)) notes.set(value, value);
  } else if (Array.isArray(value)) {
    for (const item of value) collectNotes(item, notes);
  } else if (isRecord(value)) {
    for (const member of Object.values(value)) collectNotes(member, notes);
  }
}

function replaceNotes(value: unknown, notes: ReadonlyMap<string, string>): unknown {
  if (typeof value === "string") return notes.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => replaceNotes(item, notes));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, replaceNotes(member, notes)]));
}

/** Not a date or bytes. */
function isRecord(value: unknown): value is object {
  return value !== null && typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype;
}
