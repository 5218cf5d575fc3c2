import type { EncryptedRow } from "../../store/database/encryption.ts";

/** A stored body, as it is handed to what judges it. */
export interface EncryptedBody extends EncryptedRow {
  readonly id: string;
  readonly source: string;
  /** The "now" of the decision. */
  readonly now: Date;
}

/** Stored bodies on their way to a thread: their bytes in one buffer, which is handed over and not copied. */
export interface PackedBodies {
  readonly bytes: ArrayBuffer;
  /** In the order of their bytes. */
  readonly rows: readonly (Omit<EncryptedBody, "body" | "now"> & { readonly now: number; readonly length: number })[];
}

export function packBodies(bodies: readonly EncryptedBody[]): PackedBodies {
  const bytes = new Uint8Array(bodies.reduce((sum, { body }) => sum + body.byteLength, 0));
  let start = 0;
  const rows = bodies.map(({ id, source, now, body, bodyEncoding, keyId }) => {
    bytes.set(body, start);
    start += body.byteLength;
    return { id, source, now: now.getTime(), bodyEncoding, keyId, length: body.byteLength };
  });
  return { bytes: bytes.buffer, rows };
}

/** One after the other: none outlives its turn unless who reads it keeps it. */
export function* unpackBodies({ bytes, rows }: PackedBodies): Generator<EncryptedBody> {
  let start = 0;
  for (const { id, source, now, bodyEncoding, keyId, length } of rows) {
    yield { id, source, now: new Date(now), bodyEncoding, keyId, body: Buffer.from(bytes, start, length) };
    start += length;
  }
}
