import { createHash, randomBytes } from "node:crypto";

const secretBytes = 32;

/** Shows people and scanners of leaked secrets what it is. */
const apiTokenPrefix = "sked_";

/** A secret that is known to its bearer only, and the digest by which it is found. */
export interface BearerSecret {
  readonly text: string;
  readonly digest: Buffer;
}

/** For the cookie of a session: 256 random bits in base64url. */
export function newSessionSecret(): BearerSecret {
  return withDigest(randomBytes(secretBytes).toString("base64url"));
}

/** For a person's program: `sked_` and 256 random bits in base64url. */
export function newApiTokenSecret(): BearerSecret {
  return withDigest(`${apiTokenPrefix}${randomBytes(secretBytes).toString("base64url")}`);
}

export function isApiTokenText(text: string): boolean {
  return /^sked_[A-Za-z0-9_-]{43}$/.test(text);
}

export function isSessionText(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}

/** SHA-256: what has 256 random bits needs no slow hash, and looking it up by its digest leaks nothing about it. */
export function digestOfSecret(text: string): Buffer {
  return createHash("sha256").update(text, "utf8").digest();
}

function withDigest(text: string): BearerSecret {
  return { text, digest: digestOfSecret(text) };
}
