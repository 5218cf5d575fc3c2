import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, inflateRaw } from "node:zlib";
import { codeOf } from "../kernel/app-error.ts";

export type DecodedBody =
  | { readonly decoded: true; readonly body: Buffer }
  | {
      readonly decoded: false;
      readonly reason: "too-large" | "corrupt" | "unknown-encoding";
      readonly cause?: unknown;
    };

/** Before and after inflating: about 500 times the size of an order view. */
export const responseBytesMax = 8 * 1024 * 1024;

/** Each further coding multiplies the size that a small body can expand to. */
const codingsMax = 3;

/**
 * Undoes `Content-Encoding` (RFC 9110 section 8.4), last coding first, within `bytesMax`. Accepts gzip, br, and deflate
 * with and without its zlib wrapper, because servers send both.
 */
export async function decodeBody(
  bytes: Buffer,
  contentEncoding: string | null,
  bytesMax: number,
): Promise<DecodedBody> {
  const codings = (contentEncoding ?? "")
    .split(",")
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== "" && coding !== "identity");
  if (codings.length > codingsMax) return { decoded: false, reason: "unknown-encoding" };
  let body = bytes;
  for (const coding of codings.reverse()) {
    const expand = expanderOf(coding, body);
    if (expand === null) return { decoded: false, reason: "unknown-encoding" };
    try {
      body = await expand(body, { maxOutputLength: bytesMax });
    } catch (error) {
      return {
        decoded: false,
        reason: codeOf(error) === "ERR_BUFFER_TOO_LARGE" ? "too-large" : "corrupt",
        cause: error,
      };
    }
  }
  return body.length > bytesMax ? { decoded: false, reason: "too-large" } : { decoded: true, body };
}

type Expand = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const gunzipBytes: Expand = promisify(gunzip);
const inflateBytes: Expand = promisify(inflate);
const inflateRawBytes: Expand = promisify(inflateRaw);
const brotliDecompressBytes: Expand = promisify(brotliDecompress);

function expanderOf(coding: string, body: Buffer): Expand | null {
  switch (coding) {
    case "gzip":
    case "x-gzip":
      return gunzipBytes;
    case "deflate":
      return hasZlibHeader(body) ? inflateBytes : inflateRawBytes;
    case "br":
      return brotliDecompressBytes;
    default:
      return null;
  }
}

/** RFC 1950 section 2.2: method 8 in the first byte's low bits, and both bytes together a multiple of 31. */
function hasZlibHeader(body: Buffer): boolean {
  const first = body[0];
  const second = body[1];
  return first !== undefined && second !== undefined && (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
}
