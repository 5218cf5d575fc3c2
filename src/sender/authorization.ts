import { basicCredentials, clientCredentials, formEncoded } from "../http/basic-credentials.ts";
import { assertNever } from "../kernel/app-error.ts";
import { rememberedFor } from "../kernel/remembered-for.ts";
import type { Secret } from "../kernel/secret.ts";
import type { OAuthAuthorization, RecipientAuthorization } from "./ports.ts";

export function toBasicHeader(username: string, password: Secret): string {
  return `Basic ${basicCredentials(username, password.reveal())}`;
}

export function toBearerHeader(token: Secret): string {
  return `Bearer ${token.reveal()}`;
}

/** For a token endpoint: id and secret are form-encoded first (RFC 6749 section 2.3.1). */
export function toClientHeader({ clientId, clientSecret }: OAuthAuthorization): string {
  return `Basic ${clientCredentials(clientId, clientSecret.reveal())}`;
}

/**
 * For responses that echo the request.
 * @param others further secrets of the request, such as an access token or a signing secret
 */
export function withoutCredentials(
  text: string,
  authorization: RecipientAuthorization,
  ...others: readonly (Secret | null)[]
): string {
  const forms = [
    formsOfAuthorization(authorization),
    ...others.map((secret) => (secret === null ? [] : formsOf(secret))),
  ];
  // Longest first, so that a secret that contains another one is removed whole.
  const longestFirst = [...new Set(forms.flat())].toSorted((a, b) => b.length - a.length);
  return longestFirst.reduce((rest, form) => rest.replaceAll(form, "[secret]"), text);
}

/** The same secrets go out with many deliveries. */
const formsOfAuthorization = rememberedFor((authorization: RecipientAuthorization) =>
  secretTexts(authorization).flatMap(formsOfText),
);
const formsOf = rememberedFor((secret: Secret) => formsOfText(secret.reveal()));

function secretTexts(authorization: RecipientAuthorization): readonly string[] {
  switch (authorization.type) {
    case "none":
      return [];
    case "basic": {
      const password = authorization.password.reveal();
      return [basicCredentials(authorization.username, password), password];
    }
    case "bearer":
      return [authorization.token.reveal()];
    case "oauth":
      return [toClientHeader(authorization).slice("Basic ".length), authorization.clientSecret.reveal()];
    default:
      return assertNever(authorization);
  }
}

/** As text, in JSON with and without escaped slashes, in HTML, in a form and in a URL. */
function formsOfText(secret: string): readonly string[] {
  if (secret === "") return [];
  const inJson = JSON.stringify(secret).slice(1, -1);
  return [
    ...[secret, inJson, inJson.replaceAll("/", "\\/"), inHtml(secret)],
    ...[formEncoded(secret), encodeURIComponent(secret)],
  ];
}

function inHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
