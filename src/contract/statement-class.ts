import { digestOfValue } from "../kernel/digest.ts";
import { textOf } from "./lenient-value.ts";
import { isNeutral, type NamedContext, orderInValue } from "./orders-to-stop.ts";

/**
 * What can be marked as harmless, and how, the strictest first: an order to `stop` and a `code` or text only by path and
 * value, every `other` value (an id, an amount, a time, a link) by its path or one above it.
 */
export const statementClasses = ["stop", "code", "other"] as const;

export type StatementClass = (typeof statementClasses)[number];

export function strictest(classes: readonly StatementClass[]): StatementClass {
  return statementClasses.find((each) => classes.includes(each)) ?? "other";
}

/** The longest value that is kept as it is. */
const statedValueMax = 200;

/** As text with blanks folded. A longer one ends in a digest of the whole, so that no two are the same. */
export function statedValueOf(value: unknown): string | null {
  const text = textOf(value)?.replace(/\s+/g, " ") ?? null;
  if (text === null || text.length <= statedValueMax) return text;
  const digest = digestOfValue(text).slice(0, 16);
  return `${textOf(text.slice(0, statedValueMax - digest.length - 2))}… ${digest}`;
}

/** Classes a value that is neither a list nor an object. */
export function classOfValue(
  named: NamedContext,
  value: unknown,
): { readonly class: StatementClass; readonly word: string | null } {
  const word = stopInValue(named, value);
  if (word !== null) return { class: "stop", word };
  return { class: isOther(textOf(value) ?? "", value, named) ? "other" : "code", word };
}

/** Returns the word that makes such a value an order to stop; null if it is none. */
export function stopInValue(named: NamedContext, value: unknown): string | null {
  const text = textOf(value) ?? "";
  const word = isKey(text) ? null : orderInValue(text, named);
  if (word !== null) return word;
  return named.order !== null && !isNeutral(text) ? named.order.word : null;
}

function isOther(text: string, value: unknown, { isOfCode, isOfKey }: NamedContext): boolean {
  if (typeof value === "boolean") return false;
  if (isKey(text) || shapes.some((shape) => shape.test(text))) return true;
  if (isOfCode) return false;
  if (isOfKey && /^\S+$/.test(text)) return true;
  return codeShapes.some((shape) => shape.test(text));
}

/** A UUID, a digest or a long number, in which no word can be. */
function isKey(text: string): boolean {
  return /^(?:[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|[\da-f]{16,}|[\d\s-]{8,})$/i.test(text);
}

/** Dates, times, durations, amounts with a point, links, addresses, long and masked keys. */
const shapes: readonly RegExp[] = [
  /^(?:\d{4}-\d{2}-\d{2}|\d{1,4}[./]\d{1,2}[./]\d{1,4})(?:[T ]\d[\d:.]*\s?(?:Z|[+-]\d{2}:?\d{2}|UTC|GMT|[CEW]ES?T|[AP]M|Uhr|h)?)?$/i,
  /^\d{1,2}[ -]?[A-Za-z]{3}[ -]?\d{2,4}$/,
  /^\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?$/,
  /^P(?=\d|T\d)[\dYMWDTHS.]+$/,
  /^[+-]?\d+(?:[.,]\d+)+$/,
  /^[a-z][a-z\d+.-]*:\/\/\S+$/i,
  /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
  /^\+\d[\d\s()-]{6,}$/,
  /^(?=.*\d)(?=.*[A-Za-z])[\w+/=.:-]{12,}$/,
  /^(?=.*\d)[\dA-Za-z -]*[*•]{2,}[\dA-Za-z -]*$/,
];

/** Short numbers with or without a unit, and keys of letters and digits, unless their name is that of a code. */
const codeShapes: readonly RegExp[] = [
  /^[+-]?\d+(?:[.,]\d+)*\s?(?:[%‰€$£¥°]|[A-Za-z]{1,4})?$/,
  /^(?:[€$£¥]|[A-Z]{3}\s)\s?[+-]?\d+(?:[.,]\d+)*[.,]\d{2}$/,
  /^(?=.*\d)(?=.*[A-Za-z])[\w+/=.:-]{4,}$/,
];
