import { systemClock } from "../kernel/clock.ts";
import { makeSigningKey, retiredKeyPublishedMs } from "../receiver/token-endpoint/signing-key.ts";
import { createSigningKeyStore } from "../store/deliveries/signing-keys.ts";
import { withConfiguredDatabase } from "./storage-beside.ts";

/** What a rotation did. */
export interface KeyRotation {
  /** Id of the key that signs from now on. */
  readonly kid: string;
  /** The key that signed before; null when there was none. */
  readonly retired: { readonly kid: string; readonly publishedUntil: Date } | null;
}

/**
 * Gives the token endpoint a new signing key. All processes sign with it at once; the key before it stays published until
 * its last token has expired. Works beside a running server as well as without one.
 *
 * @throws AppError `config.invalid`, and what opening the database throws.
 */
export async function rotateSigningKeys(
  environment: NodeJS.ProcessEnv,
  print: (line: string) => void,
): Promise<KeyRotation> {
  const connection = { applicationName: "skedchange keys", maxConnections: 1 };
  return await withConfiguredDatabase({ environment, print }, connection, async ({ database }) => {
    const key = await makeSigningKey(systemClock.now());
    const publishedUntil = new Date(key.createdAt.getTime() + retiredKeyPublishedMs);
    const retired = await createSigningKeyStore(database).rotateKey(key, publishedUntil);
    return { kid: key.kid, retired: retired === null ? null : { kid: retired, publishedUntil } };
  });
}
