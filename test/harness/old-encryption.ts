import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import type { EncryptionKey } from "../../src/kernel/encryption-keys.ts";

/** What version 0.1 stored for these bytes: they name no place. */
export function encryptAsBefore({ id, key }: EncryptionKey, bytes: Uint8Array): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(id));
  const ciphertext = Buffer.concat([cipher.update(gzipSync(bytes)), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
}

/** What version 0.1 read from these bytes. */
export function decryptAsBefore({ id, key }: EncryptionKey, encrypted: Buffer): Buffer {
  const decipher = createDecipheriv("aes-256-gcm", key, encrypted.subarray(0, 12)).setAAD(Buffer.from(id));
  decipher.setAuthTag(encrypted.subarray(12, 28));
  return gunzipSync(Buffer.concat([decipher.update(encrypted.subarray(28)), decipher.final()]));
}
