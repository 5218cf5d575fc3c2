import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadOrCreateEncryptionKey } from "../../../src/app/encryption-key-file.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "encryption-keys-"));
});
afterEach(() => rm(folder, { recursive: true }));

test("the first start makes a key that only its owner can read; later ones read it", async () => {
  const dataDir = join(folder, "data");
  const [made] = await loadOrCreateEncryptionKey(dataDir);
  const [read] = await loadOrCreateEncryptionKey(dataDir);

  expect(read!.id).toBe(made!.id);
  expect(read!.key.equals(made!.key)).toBe(true);
  expect((await stat(join(dataDir, "encryption-keys"))).mode & 0o777).toBe(0o600);
});

test("processes that start at the same moment agree on one key and leave nothing else behind", async () => {
  const keys = await Promise.all(Array.from({ length: 8 }, () => loadOrCreateEncryptionKey(folder)));

  expect(new Set(keys.map(([key]) => key!.id)).size).toBe(1);
  expect(await readdir(folder)).toEqual(["encryption-keys"]);
});

test("a file that holds no key is never replaced: what was encrypted would be lost", async () => {
  await writeFile(join(folder, "encryption-keys"), "damaged");

  await expect(loadOrCreateEncryptionKey(folder)).rejects.toMatchObject({
    code: "app.encryption_keys_unusable",
    message: expect.stringMatching(/has an entry \(number 1\).* Restore the file, or set ENCRYPTION_KEYS/),
  });
});
