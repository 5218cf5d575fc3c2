import { decimalTextOf } from "./decimal-text.ts";

/**
 * Readers for values that arrive in more spellings than the interface document has: a number as text, one thing where a
 * list belongs, an empty string where a value is missing, keys in another letter case. None of them throws.
 */

type JsonRecord = { readonly [key: string]: unknown };

export function isRecord(value: unknown): value is JsonRecord {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/** Whether there is anything to read: null, blank and empty values state nothing. */
export function statesAnything(value: unknown): boolean {
  if (value === null || value === undefined) return false;
  if (typeof value === "string") return value.trim() !== "";
  if (typeof value !== "object") return true;
  for (const key in value) if (Object.hasOwn(value, key)) return true;
  return false;
}

/** Whether a value says something where a text belongs, and is none. */
export function isUnreadable(value: unknown): boolean {
  return statesAnything(value) && textOf(value) === null;
}

/** The element of a list of one, where one thing belongs; anything else as it is. */
export function onlyOf(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? value[0] : value;
}

/**
 * The value of a key, exact spelling first, then any letter case. The object may be alone in a list. `undefined` when there
 * is no such key or no object. Inherited properties do not count, so a body cannot reach a prototype.
 */
export function member(value: unknown, key: string): unknown {
  const record = onlyOf(value);
  if (!isRecord(record)) return undefined;
  if (Object.hasOwn(record, key)) return record[key];
  const wanted = key.toLowerCase();
  for (const candidate in record) {
    if (candidate.length === key.length && candidate.toLowerCase() === wanted && Object.hasOwn(record, candidate)) {
      return record[candidate];
    }
  }
  return undefined;
}

/** The first of several spellings of a key that is present at all, even as null. */
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

/** A list as it is; anything else but null and undefined as a list of one. */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}

/**
 * Text trimmed, numbers in plain notation and booleans as text; null when it is empty, missing or something else. NUL is dropped and a
 * lone surrogate replaced: PostgreSQL stores neither, and one such character would keep a whole record out.
 */
export function textOf(value: unknown): string | null {
  if (typeof value === "string") return storable(value).trim() || null;
  if (typeof value === "number" && Number.isFinite(value)) return plainTextOf(value);
  if (typeof value === "boolean") return String(value);
  return null;
}

/** Only very large and very small numbers are written with an exponent. */
function plainTextOf(number: number): string | null {
  const text = String(number);
  return text.includes("e") ? decimalTextOf(text) : text;
}

function storable(text: string): string {
  return unstorable.test(text) ? text.replaceAll("\0", "").replace(loneSurrogates, "\u{fffd}") : text;
}

const unstorable = /[\0\p{Surrogate}]/u;
const loneSurrogates = /\p{Surrogate}/gu;

/** A decimal number, or text that is one; null otherwise. */
export function numberOf(value: unknown): number | null {
  if (typeof value === "number" && Number.isFinite(value)) return value + 0;
  const decimal = decimalOf(value);
  if (decimal === null) return null;
  const number = Number(decimal);
  return Number.isFinite(number) ? number : null;
}

/** A decimal number, or text that is one, as text in plain notation with the digits as sent; null otherwise. */
export function decimalOf(value: unknown): string | null {
  if (typeof value === "boolean") return null;
  const text = textOf(value);
  return text === null || typeof value === "number" ? text : decimalTextOf(text);
}

/** true, false, Y, N, 1, 0, yes, no in any letter case; null otherwise. */
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

/** Upper case, blanks and underscores folded, so that `Not  Ticketed` is NOT TICKETED; null when there is no text. */
export function foldedTextOf(value: unknown): string | null {
  return (
    textOf(value)
      ?.toUpperCase()
      .replace(/[\s_]+/g, " ") ?? null
  );
}

/** The keys in a reference field: text separated by blanks or commas, or a list of such texts. Each once, in order. */
export function referencesOf(value: unknown): readonly string[] {
  const keys = listOf(value).flatMap((part) => textOf(part)?.split(/[\s,]+/) ?? []);
  return [...new Set(keys.filter((key) => key !== ""))];
}

/**
 * The text of a key, keeping apart what merging keeps apart: `undefined` when the key is absent, null when its value is
 * null, empty or unreadable.
 */
export function statedText(value: unknown, key: string): string | null | undefined {
  const found = member(value, key);
  return found === undefined ? undefined : textOf(found);
}

/** The tokens of a field that holds one token for each referenced segment: repeats stay. */
export function tokensOf(value: unknown): readonly string[] {
  return listOf(value).flatMap(
    (part) =>
      textOf(part)
        ?.split(/[\s,]+/)
        .filter((token) => token !== "") ?? [],
  );
}
