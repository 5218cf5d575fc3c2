import type { Secret } from "../kernel/secret.ts";

/**
 * Whether a credential can be a header value: no control characters, such as a file's line end, and only Latin-1.
 * @see RFC 9110, section 5.5
 */
export function fitsHeader(secret: Secret): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(secret.reveal());
}
