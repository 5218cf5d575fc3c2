import { createHash, randomInt } from "node:crypto";

/** Keys by position, from 0. */
export function passengerIdAt(position: number): string {
  return `T${position + 1}`;
}

export function segmentKeyAt(position: number): string {
  return `Segment${position + 1}`;
}

export function flightKeyAt(position: number): string {
  return `Flight${position + 1}`;
}

/** Derives digits from the text; the first one is not 0. */
export function digitsOf(seed: string, length: number): string {
  const hex = createHash("sha256").update(seed).digest("hex");
  const digits = BigInt(`0x${hex}`).toString().slice(-length);
  return digits.startsWith("0") ? `1${digits.slice(1)}` : digits;
}

/** Without characters that look alike. */
const codeAlphabet = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

export function randomCode(length: number): string {
  return Array.from({ length }, () => codeAlphabet[randomInt(codeAlphabet.length)]).join("");
}
