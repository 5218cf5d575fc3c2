import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Secret } from "../kernel/secret.ts";

/** Expected of callers of the operations. */
export interface GatewayCredentials {
  /** The whole Authorization header: a bare token without a scheme. */
  readonly accessToken: Secret;
  /** The x-api-key header; null if none is required. */
  readonly apiKey: Secret | null;
}

/** Does not reveal which credential was wrong. */
export function refuseCredentials(credentials: GatewayCredentials, headers: IncomingHttpHeaders): string | null {
  const hasToken = isSame(headers.authorization, credentials.accessToken);
  const hasKey = credentials.apiKey === null || isSame(headers["x-api-key"], credentials.apiKey);
  if (!hasToken) {
    const [, scheme] = /^(Bearer|Basic|Token)\s/i.exec(headers.authorization ?? "") ?? [];
    if (scheme !== undefined) return `The Authorization header begins with ${scheme}: send the token alone.`;
    return "The Authorization header does not hold a valid access token.";
  }
  return hasKey ? null : "The x-api-key header does not hold a valid API key.";
}

/** Compares digests, so that time and length reveal nothing about the secret. */
function isSame(value: string | readonly string[] | undefined, secret: Secret): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text, "utf8").digest();
  return timingSafeEqual(digest(typeof value === "string" ? value : ""), digest(secret.reveal())) && value !== "";
}
