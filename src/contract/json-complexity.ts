export interface JsonBounds {
  /** Lists and objects within each other. */
  readonly depth: number;
  /** Values and names of members. */
  readonly values: number;
}

/** Order views are nested 12 deep, and 2 MiB of them have about 160,000 values and names. */
export const orderViewBounds: JsonBounds = { depth: 100, values: 500_000 };

/**
 * Whether a JSON text is nested deeper or has more values than the bounds, found without parsing it: a few megabytes of
 * brackets take as long to parse as fifty times as much of any order view. Counts what separates values, outside of
 * strings. Says nothing about whether the JSON is valid.
 */
export function exceedsJsonBounds(bytes: Uint8Array, bounds: JsonBounds): boolean {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    switch (bytes[at]!) {
      case quote:
        at = endOfString(bytes, at);
        break;
      case openBracket:
      case openBrace:
        depth += 1;
        values += 1;
        if (depth > bounds.depth) return true;
        break;
      case closeBracket:
      case closeBrace:
        depth -= 1;
        break;
      case comma:
      case colon:
        values += 1;
        break;
    }
  }
  return values > bounds.values;
}

/** Returns the position of the closing quote; that of the last byte if there is none. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];
