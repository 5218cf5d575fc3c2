import { createPrivateKey, type KeyObject, randomUUID } from "node:crypto";
import { SignJWT } from "jose";
import { AppError } from "../kernel/app-error.ts";
import type { OAuthAuthorization } from "./ports.ts";

/** Allows for clocks that differ. */
const lifetimeSeconds = 120;

/**
 * @param now its time of issue
 * @see RFC 7523 sections 2.2 and 3; OpenID Connect Core section 9, `private_key_jwt`
 */
export async function makeClientAssertion(authorization: OAuthAuthorization, now: Date): Promise<string> {
  const { clientId, clientSecret, keyId, tokenUrl } = authorization;
  const { key, algorithm } = readPrivateKey(clientSecret.reveal());
  const issuedAt = Math.floor(now.getTime() / 1_000);
  return new SignJWT({})
    .setProtectedHeader({ alg: algorithm, typ: "JWT", ...(keyId === null ? {} : { kid: keyId }) })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setAudience(tokenUrl)
    .setJti(randomUUID())
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifetimeSeconds)
    .sign(key);
}

/** RFC 7518 section 3.1, RFC 8037: what token endpoints support. */
const algorithms: Readonly<Record<string, string>> = {
  rsa: "RS256",
  "ec prime256v1": "ES256",
  "ec secp384r1": "ES384",
  ed25519: "EdDSA",
};

/** RFC 7518 section 3.3. */
const rsaBitsMin = 2_048;

/** @throws AppError `sender.private_key_unusable`, without the key */
export function readPrivateKey(pem: string): { readonly key: KeyObject; readonly algorithm: string } {
  try {
    const key = createPrivateKey(pem);
    const { asymmetricKeyType: type = "", asymmetricKeyDetails: details } = key;
    const algorithm = algorithms[type === "ec" ? `ec ${details?.namedCurve}` : type];
    if (algorithm !== undefined && (details?.modulusLength ?? rsaBitsMin) >= rsaBitsMin) return { key, algorithm };
  } catch {
    // Without the cause, which may quote the key.
  }
  throw new AppError(
    "sender.private_key_unusable",
    "The private key is not RSA of at least 2048 bits, EC P-256 or P-384, or Ed25519, unencrypted in PEM.",
  );
}
