import { hash } from "node:crypto";

/*
 * Counts different texts without keeping them: each sets one bit, and the share of bits that are not set tells how many
 * there were (linear counting). Counts of several processes are put together by a bitwise or, and a repeated text counts
 * once. Nearly exact up to some hundred, within 10 % up to `distinctMax`.
 */

export const distinctBits = 1_024;

/** More cannot be told apart. */
export const distinctMax = 5_000;

export function bitOf(text: string): number {
  return Number.parseInt(hash("sha256", text, "hex").slice(0, 8), 16) % distinctBits;
}

/** As PostgreSQL writes a `bit` value. */
export function bitText(bits: ReadonlySet<number>): string {
  return Array.from({ length: distinctBits }, (_, bit) => (bits.has(bit) ? "1" : "0")).join("");
}

/** Returns how many different texts have set so many bits; `distinctMax` also for more. */
export function distinctCount(bitsSet: number): number {
  const unset = distinctBits - bitsSet;
  if (unset <= 0) return distinctMax;
  return Math.min(distinctMax, Math.round(distinctBits * Math.log(distinctBits / unset)));
}
