/** Members of a payment's card that must hold opaque substitutes, and never the real thing. */
export const cardMembers = ["CardNumber", "SeriesCode"] as const;
export type CardMember = (typeof cardMembers)[number];

export interface MaskedBody {
  readonly bytes: Uint8Array;
  /** One entry for each value that was masked. */
  readonly masked: readonly CardMember[];
}

/**
 * Masks card numbers and security codes in the bytes of a JSON body, in place and with the same length, so that the rest
 * stays byte for byte. Only the members of a card are looked at, because ticket numbers look like card numbers. Opaque
 * substitutes stay. A body without such a value is returned as it is, after a search for the names.
 */
export function maskCardData(bytes: Uint8Array): MaskedBody {
  const given = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const masked: CardMember[] = [];
  let copy: Buffer | null = null;
  // One character is one byte, so a place in the text is a place in the bytes.
  for (const found of given.toString("latin1").matchAll(quotedNames)) {
    const member = cardMembers.find((name) => name.toLowerCase() === found[1]!.toLowerCase())!;
    for (const value of valuesAfter(given, found.index + found[0].length)) {
      if (!isSecret[member](textOf(given, value))) continue;
      copy ??= Buffer.from(given);
      mask(copy, value);
      masked.push(member);
    }
  }
  return { bytes: copy ?? bytes, masked };
}

/** In any letter case, as bodies are read. */
const quotedNames = new RegExp(`"(${cardMembers.join("|")})"`, "gi");

const isSecret: Readonly<Record<CardMember, (value: string) => boolean>> = {
  // Twelve to nineteen digits in any grouping, also with the code of the card in front. A masked number stays.
  CardNumber: (value) => /\d(?:[\s.-]*\d){11}/.test(value),
  // Three or four digits. A substitute is longer, and has letters.
  SeriesCode: (value) => /\d/.test(value) && (value.length < 8 || !/[a-z]/i.test(value)),
};

/** Where a text is, without its quotation marks, or a number. */
interface ValueRange {
  readonly start: number;
  readonly end: number;
  readonly isText: boolean;
}

const quote = 0x22;
const backslash = 0x5c;
const opening = new Set([0x7b, 0x5b]);
const closing = new Set([0x7d, 0x5d]);
const blanks = new Set([0x20, 0x09, 0x0a, 0x0d]);
const colon = 0x3a;

/** The texts and numbers of the value behind a name; none if it is no name. The body may end anywhere. */
function* valuesAfter(body: Buffer, nameEnd: number): Generator<ValueRange> {
  let at = skipBlanks(body, nameEnd);
  if (body[at] !== colon) return;
  at = skipBlanks(body, at + 1);
  let depth = 0;
  do {
    const byte = body[at]!;
    if (opening.has(byte)) depth += 1;
    else if (closing.has(byte)) depth -= 1;
    else if (byte === quote) {
      const end = endOfText(body, at + 1);
      yield { start: at + 1, end, isText: true };
      at = end;
    } else if (isOfNumber(byte)) {
      const start = at;
      while (at + 1 < body.length && isOfNumber(body[at + 1]!)) at += 1;
      yield { start, end: at + 1, isText: false };
    }
    at += 1;
  } while (depth > 0 && at < body.length);
}

function skipBlanks(body: Buffer, from: number): number {
  let at = from;
  while (at < body.length && blanks.has(body[at]!)) at += 1;
  return at;
}

function endOfText(body: Buffer, from: number): number {
  let at = from;
  while (at < body.length && body[at] !== quote) at += body[at] === backslash ? 2 : 1;
  return Math.min(at, body.length);
}

/** A digit, sign, point or exponent. */
function isOfNumber(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || "+-.eE".includes(String.fromCharCode(byte));
}

function textOf(body: Buffer, { start, end }: ValueRange): string {
  const text = body.toString("utf8", start, end);
  return text.replaceAll(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** A number becomes 0, followed by blanks. */
function mask(body: Buffer, { start, end, isText }: ValueRange): void {
  if (isText) body.fill("*", start, end);
  else body.fill(" ", start, end).fill("0", start, start + 1);
}
