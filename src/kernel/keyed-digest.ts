import { createHmac, createSecretKey } from "node:crypto";
import { deriveKey, type EncryptionKey } from "./encryption-keys.ts";

/** Digests that can be stored in place of a secret: without the keys nobody can try secrets against them. */
export interface KeyedDigest {
  /** Under the first key. Different lists of texts have different digests. */
  of(texts: readonly string[]): Buffer;
  /** Under each key, so that what was stored before a change of keys is recognised. */
  allOf(texts: readonly string[]): readonly Buffer[];
}

/**
 * @param keys ENCRYPTION_KEYS, at least one; keys for this purpose alone are derived from them
 * @param purpose digests of one purpose are never those of another
 */
export function createKeyedDigest(keys: readonly EncryptionKey[], purpose: string): KeyedDigest {
  const derived = keys.map(({ key }) => createSecretKey(deriveKey(key, purpose)));
  const allOf = (texts: readonly string[]): readonly Buffer[] =>
    derived.map((key) => createHmac("sha256", key).update(JSON.stringify(texts), "utf8").digest());
  return { of: (texts) => allOf(texts)[0]!, allOf };
}
