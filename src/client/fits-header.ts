import type { Secret } from "../kernel/secret.ts";

/**
 * Whether a credential can be the value of a header: no control characters, such as the line end of the file it was read
 * from, and nothing beyond Latin-1.
 *
 * @see RFC 9110, section 5.5
 */
export function fitsHeader(secret: Secret): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(secret.reveal());
}
