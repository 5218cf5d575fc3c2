import { promisify } from "node:util";
import { constants, gunzip, gzip } from "node:zlib";
import { AppError } from "../kernel/app-error.ts";
import { storeErrors } from "./error-codes.ts";

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** Bytes as they are stored, with what is needed to read them again. The columns have the same names. */
export interface Sealed {
  readonly body: Buffer;
  readonly bodyEncoding: "gzip";
  /** Length before sealing. */
  readonly bodyBytes: number;
  /** The key it is encrypted with; null when it is not encrypted. */
  readonly keyId: string | null;
}

/** What `open` needs of a row. */
export interface SealedRow {
  readonly body: Buffer;
  readonly bodyEncoding: string;
  readonly keyId: string | null;
}

/**
 * Makes bytes ready to be stored. Every stored body passes through here and through `open`, and nothing else knows how
 * bodies are stored, so that encryption is added in this one place: the columns for its key are there.
 *
 * Level 1, because a notification shrinks to a quarter in 40 µs, and higher levels cost more than they save; in the
 * thread pool of Node.js, because the main thread answers gateways meanwhile.
 */
export async function seal(bytes: Uint8Array): Promise<Sealed> {
  const body = await compress(bytes, { level: constants.Z_BEST_SPEED });
  return { body, bodyEncoding: "gzip", bodyBytes: bytes.byteLength, keyId: null };
}

/**
 * The bytes as they were before `seal`.
 *
 * @throws `store.cannot_open` for an encoding or key that this process does not know, and for damaged bytes
 */
export async function open(row: SealedRow): Promise<Buffer> {
  if (row.keyId !== null) {
    throw new AppError(
      storeErrors.cannotOpen,
      `A stored body is encrypted with the key ${row.keyId}, which this process does not have. Give it that key, or run the version of Skedchange that wrote it.`,
    );
  }
  if (row.bodyEncoding !== "gzip") {
    throw new AppError(
      storeErrors.cannotOpen,
      `A stored body has the encoding ${row.bodyEncoding}, which this version of Skedchange does not know. Upgrade Skedchange.`,
    );
  }
  try {
    return await decompress(row.body);
  } catch (cause) {
    throw new AppError(
      storeErrors.cannotOpen,
      "A stored body is damaged: it does not decompress. Restore it from a backup.",
      {
        cause,
      },
    );
  }
}
