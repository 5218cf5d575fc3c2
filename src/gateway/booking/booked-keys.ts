import { createHash, randomInt } from "node:crypto";

/** The keys by which the lists of a made-up order name one another, by position from 0. */
export function passengerIdAt(position: number): string {
  return `T${position + 1}`;
}

export function segmentKeyAt(position: number): string {
  return `Segment${position + 1}`;
}

export function flightKeyAt(position: number): string {
  return `Flight${position + 1}`;
}

/** So many digits that follow from the text, the first of them never 0. */
export function digitsOf(seed: string, length: number): string {
  const hex = createHash("sha256").update(seed).digest("hex");
  const digits = BigInt(`0x${hex}`).toString().slice(-length);
  return digits.startsWith("0") ? `1${digits.slice(1)}` : digits;
}

/** Letters and digits that cannot be mistaken for one another. */
const codeAlphabet = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/** An order id or a booking reference that nobody chose. */
export function randomCode(length: number): string {
  return Array.from({ length }, () => codeAlphabet[randomInt(codeAlphabet.length)]).join("");
}
