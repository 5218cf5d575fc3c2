import { isRecord } from "../kernel/record.ts";
import { decimalTextOf } from "./decimal-text.ts";
import { statedTwice } from "./doubled-keys.ts";

/**
 * Readers of values in spellings that the interface document does not have: numbers as text, one thing instead of a
 * list, empty strings instead of missing values, other letter case. None of them throws.
 */

/** Null, blank and empty values state nothing. */
export function statesAnything(value: unknown): boolean {
  if (value === null || value === undefined) return false;
  if (typeof value === "string") return value.trim() !== "";
  if (typeof value !== "object") return true;
  for (const key in value) if (Object.hasOwn(value, key)) return true;
  return false;
}

/** Whether a text stands where nothing is known: `-`, `N/A`, `TBA`. */
export function isPlaceholder(value: unknown): boolean {
  return typeof value === "string" && placeholder.test(value.trim());
}

const placeholder =
  /^(?:[-–—?.*_/]+|n[./]?a\.?|nil|none|null|undefined|nan|unknown|unk|not (?:known|available|applicable|stated|specified)|tb[acdn]|to be (?:advised|announced|confirmed|defined|determined)|unbekannt|k\.? ?a\.?|inconnue?|desconocid[oa]|desconhecid[oa]|sconosciut[oa])$/i;

/** Whether a value that states something is no text. */
export function isUnreadable(value: unknown): boolean {
  return statesAnything(value) && textOf(value) === null;
}

/** Unwraps a list of one element. */
export function onlyOf(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? value[0] : value;
}

/**
 * Returns the value of a key in its exact spelling, else in any letter case. The object may be alone in a list. Ignores
 * inherited properties, so a body cannot reach a prototype. All members of an object that is stated twice are.
 */
export function member(value: unknown, key: string): unknown {
  const record = onlyOf(value);
  if (!isRecord(record)) return undefined;
  if (record === statedTwice) return record;
  if (Object.hasOwn(record, key)) return record[key];
  const wanted = key.toLowerCase();
  for (const candidate in record) {
    if (candidate.length === key.length && candidate.toLowerCase() === wanted && Object.hasOwn(record, candidate)) {
      return record[candidate];
    }
  }
  return undefined;
}

/** Returns the first of these keys that is present, even if it is null. */
export function memberOf(value: unknown, ...keys: readonly string[]): unknown {
  for (const key of keys) {
    const found = member(value, key);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Follows keys from object to object. */
export function memberAt(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce(member, value);
}

/** Wraps anything but a list, null and undefined in a list. */
export function listOf<Item>(value: Item | readonly Item[] | null | undefined): readonly Item[] {
  if (isList(value)) return value;
  return value === undefined || value === null ? [] : [value];
}

function isList<Item>(value: Item | readonly Item[] | null | undefined): value is readonly Item[] {
  return Array.isArray(value);
}

/**
 * Returns trimmed text, or a number or boolean as text; null if there is none. Drops NUL and replaces lone surrogates,
 * because PostgreSQL stores neither and would refuse the whole record.
 */
export function textOf(value: unknown): string | null {
  if (typeof value === "string") return storable(value).trim() || null;
  if (typeof value === "number" && Number.isFinite(value)) return plainTextOf(value);
  if (typeof value === "boolean") return String(value);
  return null;
}

/** The text of a value, or those of a record's members, joined. Null if there is none. */
export function joinedTextOf(value: unknown): string | null {
  const parts = isRecord(value) ? Object.values(value) : [value];
  return parts.flatMap((part) => textOf(part) ?? []).join(" ") || null;
}

/** Avoids the exponent of very large and very small numbers. */
function plainTextOf(number: number): string | null {
  const text = String(number);
  return text.includes("e") ? decimalTextOf(text) : text;
}

/** Without what PostgreSQL cannot store, and without what makes a page show a text in another order than it stands. */
function storable(text: string): string {
  return unstorable.test(text) ? text.replace(removed, "").replace(loneSurrogates, "\u{fffd}") : text;
}

/** NUL; embeddings, overrides and isolates of Unicode's bidirectional algorithm (UAX 9). */
const removed = /[\0\u202a-\u202e\u2066-\u2069]/gu;
const unstorable = /[\0\u202a-\u202e\u2066-\u2069\p{Surrogate}]/u;
const loneSurrogates = /\p{Surrogate}/gu;

/** Reads a number, or text that is a decimal number. */
export function numberOf(value: unknown): number | null {
  if (typeof value === "number" && Number.isFinite(value)) return value + 0;
  const decimal = decimalOf(value);
  if (decimal === null) return null;
  const number = Number(decimal);
  return Number.isFinite(number) ? number : null;
}

/** As `numberOf`, but returns plain notation with the digits as sent. */
export function decimalOf(value: unknown): string | null {
  if (typeof value === "boolean") return null;
  const text = textOf(value);
  return text === null || typeof value === "number" ? text : decimalTextOf(text);
}

/** Reads true, false, Y, N, 1, 0, yes and no in any letter case. */
export function booleanOf(value: unknown): boolean | null {
  switch (textOf(value)?.toLowerCase()) {
    case "true":
    case "y":
    case "yes":
    case "1":
      return true;
    case "false":
    case "n":
    case "no":
    case "0":
      return false;
    default:
      return null;
  }
}

/** In upper case with blanks and underscores folded: `Not  Ticketed` becomes NOT TICKETED. */
export function foldedTextOf(value: unknown): string | null {
  return (
    textOf(value)
      ?.toUpperCase()
      .replace(/[\s_]+/g, " ") ?? null
  );
}

/** Reads keys from text separated by blanks or commas, or from a list of such texts. Each once, in order. */
export function referencesOf(value: unknown): readonly string[] {
  const keys = tokensOf(value);
  return keys.length < 2 ? keys : [...new Set(keys)];
}

/** As merging needs it: `undefined` if it is absent, null if it is null, empty or unreadable. */
export function statedText(value: unknown): string | null | undefined {
  return value === undefined ? undefined : textOf(value);
}

/** Reads one token for each referenced segment; repetitions stay. */
export function tokensOf(value: unknown): readonly string[] {
  const tokens: string[] = [];
  for (const part of listOf(value)) {
    for (const token of textOf(part)?.split(/[\s,]+/) ?? []) if (token !== "") tokens.push(token);
  }
  return tokens;
}
