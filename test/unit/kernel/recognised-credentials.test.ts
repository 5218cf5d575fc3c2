import { beforeEach, describe, expect, test } from "vitest";
import { createEncryptionKey, readEncryptionKeys } from "../../../src/kernel/encryption-keys.ts";
import { createKeyedDigest } from "../../../src/kernel/keyed-digest.ts";
import { createRecognisedCredentials, type RecognisedStore } from "../../../src/kernel/recognised-credentials.ts";

const now = new Date("2026-12-01T10:00:00Z");
const aKey = () => createEncryptionKey(now);

let rows: { digest: Buffer; at: Date }[];
let reads: number;
let clockMs: number;
let errors: unknown[];
beforeEach(() => {
  rows = [];
  reads = 0;
  clockMs = now.getTime();
  errors = [];
});

const store: RecognisedStore = {
  async readAdded(since) {
    reads += 1;
    return rows.filter(({ at }) => since === null || at > since);
  },
  async add(digest) {
    rows.push({ digest, at: new Date(clockMs) });
  },
};

/** What a process with these ENCRYPTION_KEYS recognises. */
function aProcess(keysText: string, itsStore: RecognisedStore = store) {
  const read = readEncryptionKeys(keysText);
  if (!read.ok) throw new Error(read.problem);
  return createRecognisedCredentials({
    digest: createKeyedDigest(read.keys, "test"),
    store: itsStore,
    clock: { now: () => new Date(clockMs) },
    onError: (error) => errors.push(error),
  });
}

describe("credentials that were right before", () => {
  test("are recognised after a restart, and only by what judged them", async () => {
    const key = aKey();
    aProcess(key).add("hash 1", "secret");

    const restarted = aProcess(key);

    expect(await restarted.includes("hash 1", "secret")).toBe(true);
    expect(await restarted.includes("hash 1", "secre")).toBe(false);
    expect(await restarted.includes("hash 2", "secret")).toBe(false);
    expect(await restarted.includes("hash 1secret", "")).toBe(false);
  });

  test("are recognised in other processes within a second, however many strangers ask", async () => {
    const key = aKey();
    const [one, other] = [aProcess(key), aProcess(key)];
    expect(await other.includes("hash", "secret")).toBe(false);
    one.add("hash", "secret");
    for (let guess = 0; guess < 100; guess += 1) await other.includes("hash", `guess ${guess}`);
    expect(reads).toBe(1);

    clockMs += 1_000;

    expect(await other.includes("hash", "secret")).toBe(true);
    expect(reads).toBe(2);
  });

  test("are stored again under the key of today, so that the one of before can be taken out", async () => {
    const [old, present] = [aKey(), aKey()];
    aProcess(old).add("hash", "secret");
    expect(await aProcess(`${present} ${old}`).includes("hash", "secret")).toBe(true);

    expect(await aProcess(present).includes("hash", "secret")).toBe(true);
    expect(await aProcess(aKey()).includes("hash", "secret")).toBe(false);
  });

  test("are checked anew while their store is away", async () => {
    const away = async (): Promise<never> => {
      throw new Error("away");
    };
    const process = aProcess(aKey(), { readAdded: away, add: away });
    process.add("hash", "secret");

    expect(await process.includes("hash", "other")).toBe(false);
    expect(await process.includes("hash", "secret")).toBe(true);
    expect(errors).not.toEqual([]);
  });

  test("leave no trace by which somebody without the key could find them", () => {
    aProcess(aKey()).add("hash", "secret");
    aProcess(aKey()).add("hash", "secret");

    expect(rows[0]!.digest.byteLength).toBe(32);
    expect(rows[0]!.digest.equals(rows[1]!.digest)).toBe(false);
  });
});
