import { createHash, randomBytes } from "node:crypto";

const secretBytes = 32;

/** Lets scanners recognise a leaked token. */
const apiTokenPrefix = "sked_";

/** Only the digest is stored. */
export interface BearerSecret {
  readonly text: string;
  readonly digest: Buffer;
}

/** For the cookie of a session: 256 random bits in base64url. */
export function newSessionSecret(): BearerSecret {
  return withDigest(randomBytes(secretBytes).toString("base64url"));
}

/** For a personal token: `sked_` and 256 random bits in base64url. */
export function newApiTokenSecret(): BearerSecret {
  return withDigest(`${apiTokenPrefix}${randomBytes(secretBytes).toString("base64url")}`);
}

export function isApiTokenText(text: string): boolean {
  return /^sked_[A-Za-z0-9_-]{43}$/.test(text);
}

export function isSessionText(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}

/** SHA-256: a secret of 256 random bits needs no slow hash. */
export function digestOfSecret(text: string): Buffer {
  return createHash("sha256").update(text, "utf8").digest();
}

function withDigest(text: string): BearerSecret {
  return { text, digest: digestOfSecret(text) };
}
