import { createHmac, randomBytes } from "node:crypto";
import { AppError } from "./app-error.ts";
import { Secret } from "./secret.ts";
import { unusableSecret } from "./secret-verifier.ts";

/** Shorter keys can be guessed; Standard Webhooks allows no longer ones. */
const keyBytes = { min: 24, max: 64 } as const;

/**
 * @throws AppError `secret.unusable` for a secret that is not `whsec_` and the base64 of 24 to 64 bytes
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function readWebhookKey(secret: Secret): Buffer {
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret.reveal())?.[1];
  const key = Buffer.from(encoded ?? "", "base64");
  if (key.length >= keyBytes.min && key.length <= keyBytes.max) return key;
  throw new AppError(
    unusableSecret,
    `A signing secret is not 'whsec_' and the base64 of ${keyBytes.min} to ${keyBytes.max} bytes. Make one with \`printf whsec_; openssl rand -base64 32\`.`,
  );
}

export function makeWebhookSecret(): Secret {
  return new Secret(`whsec_${randomBytes(32).toString("base64")}`);
}

/** HMAC-SHA-256 over `<id>.<timestamp>.<body>` (version `v1`). */
export function signWebhook(key: Buffer, id: string, timestamp: string, body: Uint8Array): Buffer {
  return createHmac("sha256", key).update(`${id}.${timestamp}.`, "latin1").update(body).digest();
}
