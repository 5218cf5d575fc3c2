/** What stands behind `Basic` in an Authorization header, as UTF-8 (RFC 7617 section 2.1). */
export function basicCredentials(username: string, password: string): string {
  return Buffer.from(`${username}:${password}`, "utf8").toString("base64");
}

/**
 * The same for a client that proves itself to an authorization server. Id and secret are form-encoded first, as RFC 6749
 * section 2.3.1 has it, so that a colon in an id does no harm.
 */
export function clientCredentials(id: string, secret: string): string {
  return basicCredentials(formEncoded(id), formEncoded(secret));
}

/** The text as application/x-www-form-urlencoded writes a value. */
export function formEncoded(text: string): string {
  return new URLSearchParams([["", text]]).toString().slice(1);
}

/** User name and password of a Basic header, split at the first colon; null when it is no well-formed Basic header. */
export function readBasicCredentials(
  authorization: string | undefined,
): { readonly username: string; readonly password: string } | null {
  const encoded = /^Basic +([A-Za-z0-9+/_-]+={0,2})$/i.exec(authorization ?? "")?.[1];
  if (encoded === undefined) return null;
  let decoded: string;
  try {
    // Strict, so that two different byte sequences never count as the same password; and no byte is dropped.
    decoded = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.from(encoded, "base64"));
  } catch {
    return null;
  }
  const colon = decoded.indexOf(":");
  if (colon === -1) return null;
  return { username: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}
