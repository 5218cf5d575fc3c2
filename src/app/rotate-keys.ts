import { readFileSync } from "node:fs";
import { loadSettings } from "../config/load-settings.ts";
import { AppError } from "../kernel/app-error.ts";
import { systemClock } from "../kernel/clock.ts";
import { makeSigningKey, retiredKeyPublishedMs } from "../receiver/token-endpoint/signing-key.ts";
import { openDatabase } from "../store/database.ts";
import { createSigningKeyStore } from "../store/signing-keys.ts";
import { openStorageBeside } from "./storage-beside.ts";

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
  say: (line: string) => void,
): Promise<KeyRotation> {
  const loaded = loadSettings(environment, (path) => readFileSync(path, "utf8"));
  if (!loaded.ok) throw new AppError("config.invalid", loaded.problems.join("\n"));
  const storage = await openStorageBeside(loaded.configuration, environment, say);
  const database = openDatabase({
    url: storage.serviceUrl,
    applicationName: "skedchange keys",
    maxConnections: 1,
    encryptionKeys: storage.encryptionKeys,
    onError: () => {},
  });
  try {
    const key = await makeSigningKey(systemClock.now());
    const publishedUntil = new Date(key.createdAt.getTime() + retiredKeyPublishedMs);
    const retired = await createSigningKeyStore(database).rotateKey(key, publishedUntil);
    return { kid: key.kid, retired: retired === null ? null : { kid: retired, publishedUntil } };
  } finally {
    await database.close();
    await storage.stop();
  }
}
