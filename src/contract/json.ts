export type ParsedJson = { readonly ok: true; readonly value: unknown } | { readonly ok: false };

/**
 * Parses UTF-8 JSON without losing a digit: a number that a double cannot hold exactly arrives as text with the digits
 * as sent, because an identifier of 19 to 28 digits may come as a JSON number. A byte order mark is skipped. Never
 * throws; nesting and size are bounded only by memory.
 */
export function parseJson(bytes: Uint8Array): ParsedJson {
  try {
    return { ok: true, value: parseText(utf8.decode(bytes)) };
  } catch {
    return { ok: false };
  }
}

// `fatal`: replacing broken bytes by U+FFFD would turn an identifier into another one.
const utf8 = new TextDecoder("utf-8", { fatal: true });

function parseText(text: string): unknown {
  // A first parse of the original proves that it is JSON; quoting long numbers could make a broken text whole.
  const value: unknown = JSON.parse(text);
  return mayHoldLongNumber.test(text) ? JSON.parse(quoteLongNumbers(text)) : value;
}

/**
 * A double keeps every integer or decimal of 15 significant digits, so 16 characters of digits and points are the
 * first that may not fit. It also matches inside some strings, which costs time and changes nothing.
 */
const mayHoldLongNumber = /[[:,]\s*-?\d[\d.]{15}|^\s*-?\d[\d.]{15}/;

/** Puts quotes around the number tokens of a valid JSON text that do not survive being a double. */
function quoteLongNumbers(text: string): string {
  const parts: string[] = [];
  let copied = 0;
  let at = 0;
  while (at < text.length) {
    const char = text.charCodeAt(at);
    if (char === doubleQuote) {
      at = endOfString(text, at);
    } else if (char === minus || isDigit(char)) {
      const end = endOfNumber(text, at);
      if (losesDigits(text.slice(at, end))) {
        parts.push(text.slice(copied, at), '"', text.slice(at, end), '"');
        copied = end;
      }
      at = end;
    } else {
      at += 1;
    }
  }
  parts.push(text.slice(copied));
  return parts.join("");
}

const doubleQuote = 0x22;
const backslash = 0x5c;
const minus = 0x2d;

function isDigit(char: number): boolean {
  return char >= 0x30 && char <= 0x39;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text.charCodeAt(at) !== doubleQuote) at += text.charCodeAt(at) === backslash ? 2 : 1;
  return at + 1;
}

function endOfNumber(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && /[\d.eE+-]/.test(text[at]!)) at += 1;
  return at;
}

/** Trailing zeros after the point are not lost digits: 825.0 stays a number. */
function losesDigits(token: string): boolean {
  if (token.length < 16) return false;
  const number = Number(token);
  return significantDigits(String(number)) !== significantDigits(token);
}

function significantDigits(token: string): string {
  const [mantissa = "", exponent = "0"] = token.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".");
  const scale = Number(exponent) - fraction.length;
  const digits = (whole + fraction).replace(/^0+/, "");
  const trimmed = digits.replace(/0+$/, "");
  return trimmed === "" ? "0" : `${trimmed}e${scale + digits.length - trimmed.length}`;
}
