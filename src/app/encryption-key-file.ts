import { randomUUID } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AppError, codeOf } from "../kernel/app-error.ts";
import { systemClock } from "../kernel/clock.ts";
import { createEncryptionKey, type EncryptionKey, readEncryptionKeys } from "../kernel/encryption-keys.ts";

/** Beside the embedded server's data, so that a copy of the folder is complete but a database dump has no keys. */
const fileName = "encryption-keys";

/**
 * Creates the file with a new key if missing; concurrent processes read the first one's.
 * @throws AppError `app.encryption_keys_unusable`
 */
export async function loadOrCreateEncryptionKey(dataDir: string): Promise<readonly EncryptionKey[]> {
  const path = join(dataDir, fileName);
  try {
    const text = (await readIfThere(path)) ?? (await makeFile(dataDir, path));
    const read = readEncryptionKeys(text);
    if (read.ok) return read.keys;
    throw unusable(path, `It ${read.problem}.`);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw unusable(path, `It cannot be read or written (${codeOf(error)}).`, error);
  }
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
}

/** Written under another name first, so that a crash leaves no partial key. */
async function makeFile(dataDir: string, path: string): Promise<string> {
  await mkdir(dataDir, { recursive: true });
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, `${createEncryptionKey(systemClock.now())}\n`, { mode: 0o600, flush: true });
  try {
    await link(draft, path);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return await readFile(path, "utf8");
}

function unusable(path: string, because: string, cause?: unknown): AppError {
  return new AppError(
    "app.encryption_keys_unusable",
    `The encryption keys in ${path} cannot be used. ${because} Restore the file, or set ENCRYPTION_KEYS: without its keys, what was stored cannot be read.`,
    cause === undefined ? {} : { cause },
  );
}
