import { timingSafeEqual } from "node:crypto";
import type { EncryptionKey } from "../../kernel/encryption-keys.ts";
import { createKeyedDigest } from "../../kernel/keyed-digest.ts";

/**
 * Recognises a right password without the cost of its hash, so that whoever guesses delays nobody. A proof is kept beside
 * the hash and worth nothing without it.
 */
export interface PasswordProofs {
  /** Null without keys. */
  make(hash: string, password: string): Buffer | null;
  proves(stored: { readonly passwordHash: string; readonly passwordProof: Buffer | null }, password: string): boolean;
}

/** @param keys ENCRYPTION_KEYS; a key for this purpose alone is derived from each */
export function createPasswordProofs(keys: readonly EncryptionKey[]): PasswordProofs {
  const digest = createKeyedDigest(keys, "skedchange password proofs");
  const textsOf = (hash: string, password: string) => [hash, password.normalize("NFC")];
  return {
    make: (hash, password) => (keys.length === 0 ? null : digest.of(textsOf(hash, password))),
    proves({ passwordHash, passwordProof }, password) {
      const digests = digest.allOf(textsOf(passwordHash, password));
      return passwordProof !== null && digests.some((each) => timingSafeEqual(each, passwordProof));
    },
  };
}
