import { systemClock } from "../kernel/clock.ts";
import { makeSigningKey, retiredKeyPublishedMs } from "../receiver/token-endpoint/signing-key.ts";
import { createSigningKeyStore } from "../store/deliveries/signing-keys.ts";
import { withConfiguredDatabase } from "./storage-beside.ts";

export interface KeyRotation {
  readonly kid: string;
  /** The previous key; null if there was none. */
  readonly retired: { readonly kid: string; readonly publishedUntil: Date } | null;
}

/**
 * All processes use the new key at once; the previous one stays published until its last token expires. Works with or
 * without a running server.
 * @throws AppError `config.invalid`, and errors of opening the database
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
