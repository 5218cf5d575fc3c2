import { hash } from "node:crypto";

/** SHA-256 of the bytes as they are. Identical bytes have identical digests; nothing is normalised. */
export function digestOfBytes(bytes: Uint8Array): Buffer {
  return hash("sha256", bytes, "buffer");
}

/**
 * SHA-256, in lower-case hex, of a JSON value written canonically: object keys sorted by code unit, no white space,
 * `undefined` members left out (the subset of RFC 8785 that strings, integers, booleans and null need).
 * Two values that differ only in key order have the same digest.
 */
export function digestOfValue(value: unknown): string {
  return hash("sha256", canonicalJson(value), "hex");
}

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (isObject(value)) {
    const members: string[] = [];
    for (const key of Object.keys(value).sort()) {
      if (value[key] !== undefined) members.push(`${JSON.stringify(key)}:${canonicalJson(value[key])}`);
    }
    return `{${members.join(",")}}`;
  }
  return JSON.stringify(value) ?? "null";
}

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return value !== null && typeof value === "object";
}
