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
  if (Array.isArray(value)) {
    let items = "";
    for (const item of value) items += `${items === "" ? "" : ","}${canonicalJson(item)}`;
    return `[${items}]`;
  }
  if (isObject(value)) {
    let members = "";
    for (const key of Object.keys(value).sort()) {
      if (value[key] === undefined) continue;
      members += `${members === "" ? "" : ","}${JSON.stringify(key)}:${canonicalJson(value[key])}`;
    }
    return `{${members}}`;
  }
  return JSON.stringify(value) ?? "null";
}

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return value !== null && typeof value === "object";
}
