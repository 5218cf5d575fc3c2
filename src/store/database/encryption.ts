import { createCipheriv, createDecipheriv, createHmac, createSecretKey, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { constants, deflateSync, gunzip, gunzipSync, gzip, gzipSync, inflateSync } from "node:zlib";
import { type CardMember, maskCardData } from "../../contract/card-data.ts";
import { remembered } from "../../contract/words-in.ts";
import { AppError, codeOf } from "../../kernel/app-error.ts";
import { deriveKey, type EncryptionKey } from "../../kernel/encryption-keys.ts";
import { takeRandomBytes } from "../../kernel/random-bytes.ts";
import { isStoredBodyError, type StoredBodyError, storedBodyErrors } from "../../kernel/stored-body-errors.ts";

/**
 * Level 1 shrinks a notification to a quarter in 40 µs; higher levels do not pay off. The result fits one chunk of 4
 * KB; the usual 16 KB would mostly be garbage.
 */
const compression = { level: constants.Z_BEST_SPEED, chunkSize: 4 * 1024 };

/** Shorter bytes are compressed synchronously: the thread pool costs six times the work on a usual notification. */
const atOnceMax = 64 * 1024;
const gzipAside = promisify(gzip);
const gunzipAside = promisify(gunzip);

/**
 * How bytes are compressed: alone, or against the body of a notification, without which they cannot be read.
 * `replace_ciphertexts` knows both names.
 */
export const bodyEncodings = { alone: "gzip", againstNotification: "deflate-against-notification" } as const;

/** The columns have the same names. */
export interface Encrypted {
  readonly body: Buffer;
  readonly bodyEncoding: (typeof bodyEncodings)[keyof typeof bodyEncodings];
  /** The id of the notification that it was compressed against; null if it was compressed alone. */
  readonly compressedAgainst: string | null;
  /** Before encryption. */
  readonly bodyBytes: number;
  /** Null if not encrypted. */
  readonly keyId: string | null;
}

export interface EncryptedRow {
  readonly body: Uint8Array;
  readonly bodyEncoding: string;
  readonly keyId: string | null;
  /** The notification that it was compressed against, encrypted; missing or null if it was compressed alone. */
  readonly againstId?: string | null;
  readonly againstBody?: Uint8Array | null;
  readonly againstEncoding?: string | null;
  readonly againstKeyId?: string | null;
}

/** The body of a notification, in clear. What the gateway says of the same order later repeats most of it. */
export interface RepeatedBody {
  readonly notificationId: string;
  readonly bytes: Uint8Array;
}

/** How far deflate looks back. A view of the order finds nothing in a notification that is longer. */
const repeatedMax = 32 * 1024;

/** Whether views can be compressed against a notification of that length. */
export function isRepeatable(bytes: number): boolean {
  return bytes <= repeatedMax;
}

/** Where encrypted bytes lie. Bytes that were written for another place do not open. */
export interface Place {
  /** Schema, table and column. */
  readonly column: EncryptedColumn;
  /** The primary key; empty for notes, which stand in several rows. */
  readonly row: string;
}

export type EncryptedColumn =
  | "skedchange.notifications.body"
  | "skedchange.status_views.body"
  | "skedchange.document_views.body"
  | "skedchange.order_status_views.body"
  | "skedchange.effects.answer"
  | "skedchange.decisions.document"
  | "skedchange.event_bodies.body"
  | "skedchange.signing_keys.private_key"
  | "skedchange.notice_rules.webhook"
  | "skedchange.second_factors.secret"
  | "gateway.ocn_bodies.body"
  | `${RecipientTable}.${"credential" | "signing_secrets" | "client_certificate"}`
  | "note";

export type RecipientTable = "gateway.recipients" | "skedchange.event_recipients";

/**
 * Compresses, then encrypts with AES-256-GCM: nonce (12 bytes), tag (16 bytes), ciphertext, with the key's id as
 * additional data (NIST SP 800-38D). Without a key, as in demo mode on the embedded database, only compresses. The
 * place is inside, in the header of the compressed bytes, where it cannot be changed without the key.
 */
export interface Encryption {
  /** Null without encryption. */
  readonly currentKeyId: string | null;
  encrypt(bytes: Uint8Array, place: Place): Promise<Encrypted>;
  /**
   * Encrypts what a gateway sent: masks card numbers and security codes first.
   * @param repeated compressed against it where that saves something. It must be stored for as long as the result is.
   */
  encryptBody(bytes: Uint8Array, place: Place, repeated?: RepeatedBody | null): Promise<Encrypted>;
  /** Encrypts with the current key what `row` holds, and names the place in it. What it was compressed against stays so. */
  encryptAnew(row: EncryptedRow, place: Place): Promise<Pick<Encrypted, "body" | "keyId">>;
  /**
   * @throws `store.cannot_open` for an unknown encoding or key, or without the notification that it was compressed
   * against, `store.body_changed` for bytes that are not what was written, `store.body_misplaced` for bytes of another
   * place
   */
  open(row: EncryptedRow, place: Place): Promise<Buffer>;
  /** Whether the bytes name their place. Those of version 0.2 do not. @throws `store.cannot_open` */
  namesPlace(row: EncryptedRow): boolean;
  /** A digest of the text under the current key, as a decimal number of 64 bits: equal texts are found, none can be read. */
  tokenOf(text: string): string;
  /** The tokens that the text may have: under each key, and without one, as before there were keys. */
  tokensOf(text: string): readonly string[];
}

/**
 * @param keys the first one encrypts, all decrypt; none leaves everything unencrypted
 * @param hooks.onMasked called for each value of a card that a body had in clear
 * @param hooks.onUnreadable called when bytes cannot be opened, with why
 */
export function createEncryption(
  keys: readonly EncryptionKey[],
  hooks: {
    readonly onMasked?: ((member: CardMember) => void) | undefined;
    readonly onUnreadable?: ((code: StoredBodyError) => void) | undefined;
  } = {},
): Encryption {
  const [current] = keys;
  const keysById = new Map(keys.map((key) => [key.id, key]));
  const tokenKeys = [...keys.map(({ key }) => tokenKeyOf(key)), withoutKey];
  return {
    currentKeyId: current?.id ?? null,

    // The names of an order are read before its decision and after its effect, and many names begin alike.
    tokenOf: remembered((text) => token(tokenKeys[0]!, text)),

    tokensOf: (text) => tokenKeys.map((key) => token(key, text)),

    encrypt: compressAndEncrypt,

    encryptBody: async (body, place, repeated = null) => {
      const { bytes, masked } = maskCardData(body);
      for (const member of masked) hooks.onMasked?.(member);
      return repeated === null || !isWorthwhile(bytes, repeated)
        ? await compressAndEncrypt(bytes, place)
        : compressAgainstAndEncrypt(bytes, place, repeated);
    },

    async encryptAnew(row, place) {
      if (row.bodyEncoding !== bodyEncodings.againstNotification) {
        return await compressAndEncrypt(await openEncrypted(row, place), place);
      }
      // It is not decompressed, so the notification need not stand beside it.
      const compressed = decrypted(row);
      readAgainst(compressed, place);
      return encryptedWithCurrentKey(compressed);
    },

    namesPlace: (row) =>
      row.bodyEncoding === bodyEncodings.againstNotification || placeNamedInHeader(decrypted(row)) !== null,

    async open(row, place) {
      try {
        return isAsItWas(row) ? Buffer.from(row.body) : await openEncrypted(row, place);
      } catch (error) {
        const code = codeOf(error);
        if (isStoredBodyError(code)) hooks.onUnreadable?.(code);
        throw error;
      }
    },
  };

  async function openEncrypted(row: EncryptedRow, place: Place): Promise<Buffer> {
    if (row.bodyEncoding === bodyEncodings.againstNotification) return await openAgainst(row, place);
    const compressed = decrypted(row);
    assertPlace(placeNamedInHeader(compressed), place);
    try {
      return compressed.length <= atOnceMax ? gunzipSync(compressed) : await gunzipAside(compressed);
    } catch (cause) {
      throw bodyChanged("is damaged: it does not decompress. Restore it from a backup.", cause);
    }
  }

  async function openAgainst(row: EncryptedRow, place: Place): Promise<Buffer> {
    const { notificationId, deflated } = readAgainst(decrypted(row), place);
    const { againstId, againstBody, againstEncoding, againstKeyId = null } = row;
    if (againstId !== notificationId || againstBody == null || againstEncoding == null) {
      throw cannotOpen(
        `was compressed against the notification ${notificationId}, which does not stand beside it. Restore both from a backup.`,
      );
    }
    const notification = { body: againstBody, bodyEncoding: againstEncoding, keyId: againstKeyId };
    const body = await openEncrypted(notification, { column: "skedchange.notifications.body", row: notificationId });
    try {
      return inflateSync(deflated, { dictionary: body });
    } catch (cause) {
      throw bodyChanged(
        `is damaged, or the notification ${notificationId} that it was compressed against is. Restore both from a backup.`,
        cause,
      );
    }
  }

  async function compressAndEncrypt(bytes: Uint8Array, place: Place): Promise<Encrypted> {
    const isShort = bytes.byteLength <= atOnceMax;
    const compressed = namePlace(isShort ? gzipSync(bytes, compression) : await gzipAside(bytes, compression), place);
    return {
      ...encryptedWithCurrentKey(compressed),
      bodyEncoding: bodyEncodings.alone,
      bodyBytes: bytes.byteLength,
      compressedAgainst: null,
    };
  }

  function compressAgainstAndEncrypt(bytes: Uint8Array, place: Place, repeated: RepeatedBody): Encrypted {
    return {
      ...encryptedWithCurrentKey(compressAgainst(bytes, place, repeated)),
      bodyEncoding: bodyEncodings.againstNotification,
      bodyBytes: bytes.byteLength,
      compressedAgainst: repeated.notificationId,
    };
  }

  function encryptedWithCurrentKey(compressed: Buffer): Pick<Encrypted, "body" | "keyId"> {
    if (current === undefined) return { body: compressed, keyId: null };
    return { body: encrypt(current, compressed), keyId: current.id };
  }

  function decrypted({ body, bodyEncoding, keyId }: EncryptedRow): Buffer {
    if (!knownEncodings.has(bodyEncoding)) {
      throw cannotOpen(
        `has the encoding ${bodyEncoding}, which this version of Skedchange does not know. Upgrade Skedchange.`,
      );
    }
    return keyId === null ? asBuffer(body) : decrypt(keyFor(keysById, keyId), body);
  }
}

const knownEncodings: ReadonlySet<string> = new Set(Object.values(bodyEncodings));

/** A key of its own, so that tokens say nothing about what the encryption key encrypts (RFC 5869). */
function tokenKeyOf(key: KeyObject): KeyObject {
  return createSecretKey(deriveKey(key, "skedchange search tokens"));
}

const withoutKey = createSecretKey(Buffer.alloc(32));

/** 64 bits: with a hundred million of them, one search in a hundred billion finds something wrong. */
function token(key: KeyObject, text: string): string {
  return createHmac("sha256", key).update(text).digest().readBigInt64BE().toString();
}

/** Whether the database itself wrote the row, which has no keys and writes nothing secret. */
function isAsItWas({ bodyEncoding, keyId }: EncryptedRow): boolean {
  return bodyEncoding === "identity" && keyId === null;
}

/**
 * The place is an extra field of the header (RFC 1952, section 2.3.1.1). What decompresses without knowing the field
 * skips it, so older versions of Skedchange read these bytes, too.
 */
const extraFieldId = "SK";
const headerBytes = 10;
const hasExtraField = 0x04;

function namePlace(compressed: Buffer, place: Place): Buffer {
  const name = textOf(place);
  const header = Buffer.alloc(headerBytes + 6);
  compressed.copy(header, 0, 0, headerBytes);
  header[3]! |= hasExtraField;
  header.writeUInt16LE(Buffer.byteLength(name) + 4, headerBytes);
  header.write(extraFieldId, headerBytes + 2, "latin1");
  header.writeUInt16LE(Buffer.byteLength(name), headerBytes + 4);
  return Buffer.concat([header, Buffer.from(name), compressed.subarray(headerBytes)]);
}

/** Returns null if none is named, as in version 0.2. */
function placeNamedInHeader(compressed: Buffer): string | null {
  if (compressed.length < headerBytes + 6 || (compressed[3]! & hasExtraField) === 0) return null;
  if (compressed.toString("latin1", headerBytes + 2, headerBytes + 4) !== extraFieldId) return null;
  const begin = headerBytes + 6;
  return compressed.toString("utf8", begin, begin + compressed.readUInt16LE(headerBytes + 4));
}

/** Shorter bytes gain nothing, and longer ones than `atOnceMax` are no view of such a notification. */
const repeatingMin = 1024;

/** Level 3 takes as long as level 1, and a view becomes half as long. */
const compressionAgainst = { level: 3, chunkSize: 4 * 1024 };

/** Whether compressing against it saves something. */
function isWorthwhile({ length }: Uint8Array, repeated: RepeatedBody): boolean {
  return length >= repeatingMin && length <= atOnceMax && isRepeatable(repeated.bytes.length);
}

/** What is compressed against a notification. */
interface CompressedAgainst {
  readonly notificationId: string;
  /**
   * A zlib stream (RFC 1950). It has checksums of the notification's body and of the bytes, so that with another body it does
   * not become other bytes.
   */
  readonly deflated: Buffer;
}

const lengthBytes = 2;
const idBytes = 16;

/** The place, with its length before it, the id of the notification, and the zlib stream. */
function compressAgainst(bytes: Uint8Array, place: Place, { notificationId, bytes: dictionary }: RepeatedBody): Buffer {
  const name = Buffer.from(textOf(place));
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt16LE(name.length);
  const id = Buffer.from(notificationId.replaceAll("-", ""), "hex");
  return Buffer.concat([length, name, id, deflateSync(bytes, { ...compressionAgainst, dictionary })]);
}

/** Reads it for its place. */
function readAgainst(compressed: Buffer, place: Place): CompressedAgainst {
  const placeEnd = compressed.length < lengthBytes ? Number.POSITIVE_INFINITY : lengthBytes + compressed.readUInt16LE();
  const idEnd = placeEnd + idBytes;
  if (compressed.length < idEnd) throw bodyChanged("is damaged: it is cut off. Restore it from a backup.");
  assertPlace(compressed.toString("utf8", lengthBytes, placeEnd), place);
  const id = compressed.toString("hex", placeEnd, idEnd);
  return {
    notificationId: id.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-"),
    deflated: compressed.subarray(idEnd),
  };
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function assertPlace(named: string | null, place: Place): void {
  if (named === null || named === textOf(place)) return;
  throw new AppError(
    storedBodyErrors.misplaced,
    `What is stored in ${textOf(place)} was written for ${named}: somebody moved it in the database. Restore both from a backup, and find out who writes to the database.`,
  );
}

function textOf({ column, row }: Place): string {
  return `${column} ${row}`;
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
    throw bodyChanged(
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

function cannotOpen(because: string): AppError {
  return new AppError(storedBodyErrors.cannotOpen, `A stored body ${because}`);
}

function bodyChanged(because: string, cause?: unknown): AppError {
  return new AppError(storedBodyErrors.changed, `A stored body ${because}`, cause === undefined ? {} : { cause });
}
