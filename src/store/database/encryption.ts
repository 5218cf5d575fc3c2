import { createCipheriv, createDecipheriv } from "node:crypto";
import { promisify } from "node:util";
import { constants, gunzip, gunzipSync, gzip, gzipSync } from "node:zlib";
import { AppError } from "../../kernel/app-error.ts";
import type { EncryptionKey } from "../../kernel/encryption-keys.ts";
import { takeRandomBytes } from "../../kernel/random-bytes.ts";
import { storeErrors } from "./error-codes.ts";

/**
 * Level 1, because a notification shrinks to a quarter in 40 µs, and higher levels cost more than they save. It then fits into
 * one chunk; one of the usual 16 KB would mostly be garbage, and a storm of those keeps the garbage collector busy.
 */
const compression = { level: constants.Z_BEST_SPEED, chunkSize: 4 * 1024 };

/**
 * Up to this length bytes are compressed and decompressed at once: the way to Node.js's thread pool and back costs six
 * times as much as the work on a notification of usual size. Longer ones must not keep the main thread from answering.
 */
const atOnceMax = 64 * 1024;
const gzipAside = promisify(gzip);
const gunzipAside = promisify(gunzip);

/** Bytes as they are stored, with what is needed to read them again. The columns have the same names. */
export interface Encrypted {
  readonly body: Buffer;
  readonly bodyEncoding: "gzip";
  /** Length before encryption. */
  readonly bodyBytes: number;
  /** The key it is encrypted with; null when it is not encrypted. */
  readonly keyId: string | null;
}

/** What `open` needs of a row. */
export interface EncryptedRow {
  readonly body: Uint8Array;
  readonly bodyEncoding: string;
  readonly keyId: string | null;
}

/**
 * The one place that knows how bodies and credentials are stored: compressed, then encrypted with AES-256-GCM as nonce
 * (12 bytes), authentication tag (16 bytes) and ciphertext, with the key's id as additional authenticated data (NIST SP
 * 800-38D). Without a key, in demo mode on a database of one's own, they are compressed only.
 */
export interface Encryption {
  /** Id of the key that `encrypt` uses; null when nothing is encrypted. */
  readonly currentKeyId: string | null;
  encrypt(bytes: Uint8Array): Promise<Encrypted>;
  /**
   * The bytes as they were before `encrypt`, with whichever of the keys.
   *
   * @throws `store.cannot_open` for an encoding or key that this process does not know, and for damaged bytes
   */
  open(row: EncryptedRow): Promise<Buffer>;
}

/** @param keys the first one encrypts, all of them decrypt; none leaves everything unencrypted. */
export function createEncryption(keys: readonly EncryptionKey[]): Encryption {
  const [current] = keys;
  const keysById = new Map(keys.map((key) => [key.id, key]));
  return {
    currentKeyId: current?.id ?? null,

    async encrypt(bytes) {
      const isShort = bytes.byteLength <= atOnceMax;
      const compressed = isShort ? gzipSync(bytes, compression) : await gzipAside(bytes, compression);
      const body = current === undefined ? compressed : encrypt(current, compressed);
      return { body, bodyEncoding: "gzip", bodyBytes: bytes.byteLength, keyId: current?.id ?? null };
    },

    async open(row) {
      if (isAsItWas(row)) return Buffer.from(row.body);
      const compressed = decrypted(row);
      try {
        return compressed.length <= atOnceMax ? gunzipSync(compressed) : await gunzipAside(compressed);
      } catch (cause) {
        throw cannotOpen("is damaged: it does not decompress. Restore it from a backup.", cause);
      }
    },
  };

  function decrypted({ body, bodyEncoding, keyId }: EncryptedRow): Uint8Array {
    if (bodyEncoding !== "gzip") {
      throw cannotOpen(
        `has the encoding ${bodyEncoding}, which this version of Skedchange does not know. Upgrade Skedchange.`,
      );
    }
    return keyId === null ? body : decrypt(keyFor(keysById, keyId), body);
  }
}

/** What the database itself wrote, which has no keys: nothing that needs to be kept secret. */
function isAsItWas({ bodyEncoding, keyId }: EncryptedRow): boolean {
  return bodyEncoding === "identity" && keyId === null;
}

const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

function encrypt({ id, key }: EncryptionKey, bytes: Buffer): Buffer {
  const nonce = takeRandomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(id));
  const ciphertext = [cipher.update(bytes), cipher.final()];
  return Buffer.concat([nonce, cipher.getAuthTag(), ...ciphertext]);
}

function decrypt({ id, key }: EncryptionKey, encrypted: Uint8Array): Buffer {
  try {
    const nonce = encrypted.subarray(0, nonceBytes);
    const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(id));
    decipher.setAuthTag(encrypted.subarray(nonceBytes, nonceBytes + tagBytes));
    return Buffer.concat([decipher.update(encrypted.subarray(nonceBytes + tagBytes)), decipher.final()]);
  } catch (cause) {
    throw cannotOpen(
      `does not decrypt with the key ${id}: it is damaged, or ENCRYPTION_KEYS gives that id to another key. Restore the bytes from a backup, or the key.`,
      cause,
    );
  }
}

function keyFor(keys: ReadonlyMap<string, EncryptionKey>, id: string): EncryptionKey {
  const key = keys.get(id);
  if (key !== undefined) return key;
  throw cannotOpen(
    `is encrypted with the key ${id}, which this process does not have. Add that key to ENCRYPTION_KEYS.`,
  );
}

function cannotOpen(because: string, cause?: unknown): AppError {
  return new AppError(storeErrors.cannotOpen, `A stored body ${because}`, cause === undefined ? {} : { cause });
}
