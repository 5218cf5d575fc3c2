import type { Response } from "express";

/** A media type with its parameters, in printable ASCII. */
const mediaType = /^application\/[\w.!#$&^+-]+(?:;[\x20-\x7e]*)?$/i;

interface StoredBody {
  readonly bytes: Uint8Array;
  /** As it was declared; null if it was not. */
  readonly contentType: string | null;
}

/** Sends stored bytes as a download. They come from elsewhere, so browsers must neither show nor run them. */
export function sendStoredBody({ bytes, contentType }: StoredBody, filename: string) {
  return (response: Response): void => {
    const declared = contentType?.trim() ?? "";
    response.setHeader("Content-Type", mediaType.test(declared) ? declared : "application/json");
    response.setHeader("Content-Disposition", `attachment; filename="${filename}"`);
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; sandbox");
    response.setHeader("Content-Length", bytes.length);
    response.end(bytes);
  };
}
