import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Secret } from "../kernel/secret.ts";

/** What callers of the operations must send. */
export interface GatewayCredentials {
  /** The whole value of the Authorization header: a bare token, without a scheme. */
  readonly accessToken: Secret;
  /** The value of x-api-key; null when the gateway asks for none. */
  readonly apiKey: Secret | null;
}

/** Why a call is refused; null when its credentials are right. Says nothing of how far a wrong one was right. */
export function refuseCredentials(credentials: GatewayCredentials, headers: IncomingHttpHeaders): string | null {
  const hasToken = isSame(headers.authorization, credentials.accessToken);
  const hasKey = credentials.apiKey === null || isSame(headers["x-api-key"], credentials.apiKey);
  if (!hasToken) return "The Authorization header does not hold a valid access token.";
  return hasKey ? null : "The x-api-key header does not hold a valid API key.";
}

/** Compares digests, so that neither the time taken nor the length tells anything about the secret. */
function isSame(value: string | readonly string[] | undefined, secret: Secret): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text, "utf8").digest();
  return timingSafeEqual(digest(typeof value === "string" ? value : ""), digest(secret.reveal())) && value !== "";
}
