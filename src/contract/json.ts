import { markDoubledKeys } from "./doubled-keys.ts";

export type ParsedJson = { readonly ok: true; readonly value: unknown } | { readonly ok: false };

/**
 * Parses UTF-8 JSON without losing a digit: a number that a double cannot hold becomes text, because identifiers of 19
 * to 28 digits may come as JSON numbers. Skips a byte order mark. Never throws; its time is linear in the size, and
 * only memory limits nesting and size.
 */
export function parseJson(bytes: Uint8Array): ParsedJson {
  const parsed = parseJsonText(bytes);
  return parsed.ok ? { ok: true, value: parsed.value } : parsed;
}

/** As `parseJson`, with `statedTwice` where one object states a key twice: for whoever decides by what is stated. */
export function parseStatements(bytes: Uint8Array): ParsedJson {
  const parsed = parseJsonText(bytes);
  if (!parsed.ok) return parsed;
  markDoubledKeys(parsed.text, parsed.value);
  return { ok: true, value: parsed.value };
}

/** As `parseJson`, with the text that was parsed. */
export function parseJsonText(
  bytes: Uint8Array,
): { readonly ok: true; readonly value: unknown; readonly text: string } | { readonly ok: false } {
  try {
    const text = quoteLongNumbers(utf8.decode(bytes));
    return { ok: true, value: JSON.parse(text), text };
  } catch {
    return { ok: false };
  }
}

// `fatal`, because replacing broken bytes by U+FFFD would change identifiers.
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** A double holds any 15 significant digits, so only a longer row of digits and points may lose some. */
const longFrom = 16;

/**
 * Puts quotes around numbers that a double cannot hold. It touches only valid numbers where a value may stand, so
 * invalid JSON stays invalid.
 * A long row of digits covers one of each sixteen characters, so only these are looked at.
 */
function quoteLongNumbers(text: string): string {
  const isInString = createStringWalk(text);
  const parts: string[] = [];
  let copied = 0;
  for (let at = longFrom - 1; at < text.length; at += longFrom) {
    if (!isDigitOrPoint(text.charCodeAt(at))) continue;
    const start = startOfDigits(text, at);
    const end = endOfDigits(text, at);
    at += longFrom * Math.floor((end - 1 - at) / longFrom);
    if (end - start < longFrom) continue;
    const from = text.charCodeAt(start - 1) === minus ? start - 1 : start;
    if (!isAfterValueStart(text, from) || isInString(from)) continue;
    const to = endOfNumber(text, end);
    const token = text.slice(from, to);
    if (!isBeforeValueEnd(text, to) || !numberGrammar.test(token) || !losesDigits(token)) continue;
    parts.push(text.slice(copied, from), '"', token, '"');
    copied = to;
  }
  return copied === 0 ? text : parts.join("") + text.slice(copied);
}

/**
 * Returns a function that tells whether a position is inside a string. Call it with rising positions: it reads the text
 * once.
 */
function createStringWalk(text: string): (at: number) => boolean {
  let start = text.indexOf('"');
  let end = 0;
  return (at) => {
    while (start !== -1 && start < at) {
      end = endOfString(text, start);
      start = text.indexOf('"', end);
    }
    return at < end;
  };
}

/** An unterminated string ends with the text. */
function endOfString(text: string, start: number): number {
  let at = text.indexOf('"', start + 1);
  while (at !== -1 && isEscaped(text, at)) at = text.indexOf('"', at + 1);
  return at === -1 ? text.length : at + 1;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === backslash) backslashes += 1;
  return backslashes % 2 === 1;
}

function startOfDigits(text: string, at: number): number {
  let start = at;
  while (isDigitOrPoint(text.charCodeAt(start - 1))) start -= 1;
  return start;
}

function endOfDigits(text: string, at: number): number {
  let end = at + 1;
  while (isDigitOrPoint(text.charCodeAt(end))) end += 1;
  return end;
}

/** Skips an exponent. */
function endOfNumber(text: string, endOfMantissa: number): number {
  let end = endOfMantissa;
  while (isInExponent(text.charCodeAt(end))) end += 1;
  return end;
}

/** Whether a value may begin here, judged by the last character that is not blank. */
function isAfterValueStart(text: string, at: number): boolean {
  let before = at - 1;
  while (isBlank(text.charCodeAt(before))) before -= 1;
  const char = text.charCodeAt(before);
  return char === colon || char === comma || char === openBracket || Number.isNaN(char);
}

/** Whether a value may have ended here. Before a colon it would be a key, and no number is one. */
function isBeforeValueEnd(text: string, at: number): boolean {
  let next = at;
  while (isBlank(text.charCodeAt(next))) next += 1;
  const char = text.charCodeAt(next);
  return char === comma || char === closeBracket || char === closeBrace || Number.isNaN(char);
}

const plus = 0x2b;
const comma = 0x2c;
const minus = 0x2d;
const point = 0x2e;
const zero = 0x30;
const nine = 0x39;
const colon = 0x3a;
const upperE = 0x45;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const lowerE = 0x65;
const closeBrace = 0x7d;

function isDigitOrPoint(char: number): boolean {
  return (char >= zero && char <= nine) || char === point;
}

function isInExponent(char: number): boolean {
  return isDigitOrPoint(char) || char === lowerE || char === upperE || char === plus || char === minus;
}

function isBlank(char: number): boolean {
  return char === 0x20 || char === 0x0a || char === 0x0d || char === 0x09;
}

/** @see RFC 8259, section 6 */
const numberGrammar = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Trailing zeros after the point are no lost digits: 825.0 stays a number. */
function losesDigits(token: string): boolean {
  const asRead = String(Number(token));
  return asRead !== token && significantDigits(asRead) !== significantDigits(token);
}

function significantDigits(token: string): string {
  const [mantissa = "", exponent = "0"] = token.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".");
  const scale = Number(exponent) - fraction.length;
  const digits = (whole + fraction).replace(/^0+/, "");
  const trimmed = withoutTrailingZeros(digits);
  return trimmed === "" ? "0" : `${trimmed}e${scale + digits.length - trimmed.length}`;
}

/** Not `replace(/0+$/, "")`, whose time is quadratic in the zeros inside. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === zero) end -= 1;
  return digits.slice(0, end);
}
