import { assertNever } from "../kernel/app-error.ts";
import type { Secret } from "../kernel/secret.ts";
import type { RecipientAuthorization } from "./ports.ts";

/** The value of the Authorization header. User name and password are sent as UTF-8 (RFC 7617 section 2.1). */
export function toAuthorizationHeader(authorization: RecipientAuthorization): string {
  switch (authorization.type) {
    case "basic":
      return `Basic ${basicCredentials(authorization.username, authorization.password)}`;
    case "bearer":
      return `Bearer ${authorization.token.reveal()}`;
    default:
      return assertNever(authorization);
  }
}

/**
 * The text without any form of the credentials that were sent. Recipients that echo the request in an error page would
 * otherwise put them into our attempt log.
 */
export function withoutCredentials(text: string, authorization: RecipientAuthorization): string {
  return secretTexts(authorization).reduce((rest, secret) => rest.replaceAll(secret, "[secret]"), text);
}

function secretTexts(authorization: RecipientAuthorization): readonly string[] {
  const secrets =
    authorization.type === "basic"
      ? [basicCredentials(authorization.username, authorization.password), authorization.password.reveal()]
      : [authorization.token.reveal()];
  // Inside JSON a secret with a quote or a backslash looks different.
  return [...new Set(secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]))];
}

function basicCredentials(username: string, password: Secret): string {
  return Buffer.from(`${username}:${password.reveal()}`, "utf8").toString("base64");
}
