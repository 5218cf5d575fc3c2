import type { Response } from "express";
import type { StoredBody } from "../ports.ts";

/** What a header may say: a media type with its parameters, in printable ASCII. */
const mediaType = /^application\/[\w.!#$&^+-]+(?:;[\x20-\x7e]*)?$/i;

/**
 * Sends stored bytes as a file to keep. They come from elsewhere, so no browser may take them for a page of ours: they
 * are an attachment, of the type that was declared, which is not guessed at, and nothing in them may run.
 */
export function sendStoredBody({ bytes, contentType }: StoredBody, filename: string) {
  return (response: Response): void => {
    const declared = contentType?.trim() ?? "";
    response.setHeader("Content-Type", mediaType.test(declared) ? declared : "application/json");
    response.setHeader("Content-Disposition", `attachment; filename="${filename}"`);
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("Content-Security-Policy", "default-src 'none'; sandbox");
    response.setHeader("Content-Length", bytes.length);
    response.end(bytes);
  };
}
