import { hash } from "node:crypto";
import { isRecord } from "./record.ts";

/** SHA-256 of the unmodified bytes. */
export function digestOfBytes(bytes: Uint8Array): Buffer {
  return hash("sha256", bytes, "buffer");
}

/**
 * SHA-256 (hex) of canonical JSON: keys sorted by code unit, no white space, no `undefined` members (the subset of RFC
 * 8785 for strings, integers, booleans and null).
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
  if (isRecord(value)) {
    let members = "";
    for (const key of Object.keys(value).sort()) {
      if (value[key] === undefined) continue;
      members += `${members === "" ? "" : ","}${JSON.stringify(key)}:${canonicalJson(value[key])}`;
    }
    return `{${members}}`;
  }
  return JSON.stringify(value) ?? "null";
}
