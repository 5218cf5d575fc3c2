import { createSecretKey, hkdfSync, type KeyObject, randomBytes } from "node:crypto";

/** A key for AES-256-GCM. Its id is stored with everything it encrypts. */
export interface EncryptionKey {
  readonly id: string;
  readonly key: KeyObject;
}

export type ReadEncryptionKeys =
  | { readonly ok: true; readonly keys: readonly EncryptionKey[] }
  | { readonly ok: false; readonly problem: string };

const keyBytes = 32;

/**
 * Reads keys written as `id:base64`, separated by white space; the first encrypts, all decrypt.
 * @returns at least one key; or the problem, as the end of a sentence that begins with the setting's name, without any
 * key
 */
export function readEncryptionKeys(text: string): ReadEncryptionKeys {
  const keys: EncryptionKey[] = [];
  for (const entry of text.split(/\s+/).filter((part) => part !== "")) {
    const [, id = "", encoded = ""] = /^([A-Za-z0-9_.-]{1,40}):([A-Za-z0-9+/_-]+={0,2})$/.exec(entry) ?? [];
    const bytes = Buffer.from(encoded, "base64");
    if (id === "" || bytes.length !== keyBytes) {
      const problem = `has an entry (number ${keys.length + 1}) that is not <id>:<${keyBytes} bytes in base64>`;
      return { ok: false, problem };
    }
    if (keys.some((key) => key.id === id)) return { ok: false, problem: `names the key ${id} twice` };
    keys.push({ id, key: createSecretKey(bytes) });
  }
  return keys.length > 0 ? { ok: true, keys } : { ok: false, problem: "holds no key" };
}

/** The bytes of a key for one purpose alone, so that what it makes says nothing about what the key encrypts (RFC 5869). */
export function deriveKey(key: KeyObject, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", key, "", purpose, keyBytes));
}

/** Creates a key as `readEncryptionKeys` reads it. Its id is the day and a random part. */
export function createEncryptionKey(now: Date): string {
  const id = `${now.toISOString().slice(0, 10)}-${randomBytes(3).toString("hex")}`;
  return `${id}:${randomBytes(keyBytes).toString("base64")}`;
}
