import type { Secret } from "../kernel/secret.ts";

/**
 * Whether a secret can be sent as an HTTP field value: visible ASCII, blanks, tabs and bytes from 0x80. A line end, as at
 * the end of a file, does not fit.
 * @see RFC 9110, section 5.5
 */
export function fitsHeader(secret: Secret): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(secret.reveal());
}
