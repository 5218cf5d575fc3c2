import { promisify } from "node:util";
import { brotliCompress, constants, deflate, gzip } from "node:zlib";
import type { Request, Response } from "express";

/** Compressing shorter responses saves less than a packet. */
const compressedBytesMin = 1_024;

const compressBrotli = promisify(brotliCompress);

/** The best first; `deflate` is the zlib format (RFC 9110 section 8.4.1.2). */
const codings = {
  br: (bytes: Buffer): Promise<Buffer> => compressBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: promisify(gzip) as (bytes: Buffer) => Promise<Buffer>,
  deflate: promisify(deflate) as (bytes: Buffer) => Promise<Buffer>,
} as const;
type Coding = keyof typeof codings;

/**
 * Sends HTTP 200 in the caller's preferred coding of `br`, `gzip` and `deflate`, or plain if there is none or the body
 * is short.
 * @see RFC 9110 section 12.5.3, Accept-Encoding
 */
export async function writeResponse(request: Request, response: Response, body: unknown): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(body));
  response.type("application/json").vary("Accept-Encoding");
  const coding = bytes.length < compressedBytesMin ? null : chooseCoding(request.get("Accept-Encoding"));
  if (coding === null) {
    response.send(bytes);
    return;
  }
  response.set("Content-Encoding", coding).send(await codings[coding](bytes));
}

/** @param header the value of Accept-Encoding. */
function chooseCoding(header: string | undefined): Coding | null {
  const weights = new Map((header ?? "").toLowerCase().split(",").flatMap(readPreference));
  const weightOf = (coding: string): number => weights.get(coding) ?? weights.get("*") ?? 0;
  const [best] = (Object.keys(codings) as Coding[])
    .map((coding) => ({ coding, weight: weightOf(coding) }))
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight);
  if (best === undefined) return null;
  // Plain is always acceptable, but preferred only if it is named.
  return (weights.get("identity") ?? 0) > best.weight ? null : best.coding;
}

function readPreference(element: string): readonly (readonly [string, number])[] {
  const [, coding, weight = "1"] = /^\s*([a-z0-9*-]+)\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/.exec(element) ?? [];
  if (coding === undefined) return [];
  return [[coding === "x-gzip" ? "gzip" : coding, Number(weight)]];
}
