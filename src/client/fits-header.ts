import type { Secret } from "../kernel/secret.ts";

/**
 * Allows Latin-1 without control characters, such as a file's line end.
 * @see RFC 9110, section 5.5
 */
export function fitsHeader(secret: Secret): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(secret.reveal());
}
