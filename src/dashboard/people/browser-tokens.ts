import { randomBytes, timingSafeEqual } from "node:crypto";
import type { EncryptionKey } from "../../kernel/encryption-keys.ts";
import { createKeyedDigest } from "../../kernel/keyed-digest.ts";

/**
 * What a browser keeps after a sign-in, so that it is known at the next one: its failures are counted by themselves, and
 * strangers who guess at the same address do not keep it out. It lets nobody in, and nobody can make one.
 */
export interface BrowserTokens {
  /** The token itself if it is one of ours, else a new one; null without keys. */
  reuseOrMake(token: string | null): string | null;
  /** The id of the browser; null if the token is none of ours. */
  idOf(token: string | null): string | null;
}

/** @param keys ENCRYPTION_KEYS; a key for this purpose alone is derived from each */
export function createBrowserTokens(keys: readonly EncryptionKey[]): BrowserTokens {
  const digest = createKeyedDigest(keys, "skedchange browser tokens");

  function idOf(token: string | null): string | null {
    const [, id, digestText] = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/.exec(token ?? "") ?? [];
    if (id === undefined || digestText === undefined) return null;
    const stated = Buffer.from(digestText, "base64url");
    return digest.allOf([id]).some((each) => timingSafeEqual(each, stated)) ? id : null;
  }

  return {
    reuseOrMake(token) {
      if (idOf(token) !== null) return token;
      if (keys.length === 0) return null;
      const id = randomBytes(16).toString("base64url");
      return `${id}.${digest.of([id]).toString("base64url")}`;
    },
    idOf,
  };
}
