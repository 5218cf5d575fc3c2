import { createHash } from "node:crypto";

/** SHA-256 of the bytes as they are. Identical bytes have identical digests; nothing is normalised. */
export function digestOfBytes(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(bytes).digest();
}

/**
 * SHA-256, in lower-case hex, of a JSON value written canonically: object keys sorted by code unit, no white space,
 * `undefined` members left out (the subset of RFC 8785 that strings, integers, booleans and null need).
 * Two values that differ only in key order have the same digest.
 */
export function digestOfValue(value: unknown): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex");
}

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (value !== null && typeof value === "object") {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
    return `{${members.join(",")}}`;
  }
  return JSON.stringify(value) ?? "null";
}
