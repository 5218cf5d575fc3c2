import { randomBytes } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { type EncryptionKey, makeEncryptionKey, readEncryptionKeys } from "../../../src/kernel/encryption-keys.ts";
import { createEncryption, type Place } from "../../../src/store/database/encryption.ts";
import { decryptAsBefore, encryptAsBefore } from "../../harness/old-encryption.ts";

const older = aKey();
const newer = aKey();
const plain = createEncryption([]);
const encrypted = createEncryption([newer, older]);
const here: Place = { column: "skedchange.notifications.body", row: "019aa000-0000-7000-8000-000000000001" };

test.each([
  ["without a key", plain, null],
  ["with a key", encrypted, newer.id],
])("what is encrypted %s decrypts to the same bytes, whatever they are", async (_, encryption, keyId) => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 2_000 }), async (bytes) => {
      const encryptedBody = await encryption.encrypt(bytes, here);

      expect(encryptedBody).toMatchObject({ bodyEncoding: "gzip", bodyBytes: bytes.length, keyId });
      expect(await encryption.open(encryptedBody, here)).toEqual(Buffer.from(bytes));
    }),
    { numRuns: 50 },
  );
});

test.each([64 * 1024, 64 * 1024 + 1])(
  "%i bytes open to the same bytes, whether done at once or aside",
  async (length) => {
    // What is random does not become shorter, so what is sealed is on the same side of the limit, or above it.
    const bytes = randomBytes(length);

    expect(await encrypted.open(await encrypted.encrypt(bytes, here), here)).toEqual(bytes);
  },
);

test("text that repeats itself, as order views do, becomes much shorter", async () => {
  const text = Buffer.from(
    JSON.stringify(Array.from({ length: 200 }, () => ({ SegmentStatus: "HK", Cabin: "Economy" }))),
  );

  expect((await encrypted.encrypt(text, here)).body.length).toBeLessThan(text.length / 4);
});

describe("encryption", () => {
  test("leaves nothing of the text, and the same text looks different each time", async () => {
    const text = Buffer.from("a-password-to-look-for");
    const [first, second] = await Promise.all([encrypted.encrypt(text, here), encrypted.encrypt(text, here)]);

    expect(first.body.includes("password")).toBe(false);
    // A gzip header would show that it is compressed only.
    expect(first.body.subarray(0, 2)).not.toEqual(Buffer.from([0x1f, 0x8b]));
    expect(first.body.equals(second.body)).toBe(false);
  });

  test("a replaced key still decrypts what it encrypted, and so does a process that encrypts from now on", async () => {
    const [byOlder, unencrypted] = await Promise.all([
      createEncryption([older]).encrypt(Buffer.from("before"), here),
      plain.encrypt(Buffer.from("in the open"), here),
    ]);

    expect((await encrypted.open(byOlder, here)).toString()).toBe("before");
    expect((await encrypted.open(unencrypted, here)).toString()).toBe("in the open");
  });
});

describe("what cannot be opened says why", () => {
  test.each([
    ["a key that this process does not have", { keyId: "2026-a" }, /encrypted with the key 2026-a, .*Add that key/],
    ["an encoding of a later version", { bodyEncoding: "zstd" }, /has the encoding zstd/],
  ])("%s", async (_, change, message) => {
    const encryptedBody = await encrypted.encrypt(Buffer.from("{}"), here);

    await expect(encrypted.open({ ...encryptedBody, ...change }, here)).rejects.toMatchObject({
      code: "store.cannot_open",
      message: expect.stringMatching(message),
    });
  });

  test.each([
    ["bytes that were cut off", plain, (body: Buffer) => body.subarray(0, -4), /is damaged/],
    ["encrypted bytes that were cut off", encrypted, (body: Buffer) => body.subarray(0, -1), /does not decrypt/],
    ["next to nothing", encrypted, (body: Buffer) => body.subarray(0, 5), /does not decrypt/],
    ["one bit that was changed", encrypted, withBitFlipped, /does not decrypt/],
    ["bytes of somebody else", encrypted, () => Buffer.alloc(100, 7), /does not decrypt/],
  ])("%s", async (_, encryption, corruption, message) => {
    const encryptedBody = await encryption.encrypt(Buffer.from("{}"), here);

    await expect(
      encryption.open({ ...encryptedBody, body: corruption(encryptedBody.body) }, here),
    ).rejects.toMatchObject({
      code: "store.body_changed",
      message: expect.stringMatching(message),
    });
  });
});

test("another key than its own looks the same as changed bytes", async () => {
  const encryptedBody = await encrypted.encrypt(Buffer.from("{}"), here);

  await expect(encrypted.open({ ...encryptedBody, keyId: older.id }, here)).rejects.toMatchObject({
    code: "store.body_changed",
    message: expect.stringContaining("does not decrypt with the key"),
  });
});

test("each body that cannot be opened is reported with its code", async () => {
  const codes: string[] = [];
  const listening = createEncryption([newer], { onUnreadable: (code) => codes.push(code) });
  const stored = await listening.encrypt(Buffer.from("{}"), here);

  await listening.open(stored, here);
  const opened = await Promise.allSettled([
    listening.open({ ...stored, keyId: "gone" }, here),
    listening.open({ ...stored, body: Buffer.alloc(100) }, here),
    listening.open(stored, { ...here, row: "another" }),
  ]);

  expect(opened.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(codes).toEqual(["store.cannot_open", "store.body_changed", "store.body_misplaced"]);
});

describe("what is stored in one place", () => {
  test.each<[string, Place]>([
    ["another row", { ...here, row: "019aa000-0000-7000-8000-000000000002" }],
    ["another column", { ...here, column: "skedchange.status_views.body" }],
  ])("does not open in %s", async (_, elsewhere) => {
    const encryptedBody = await encrypted.encrypt(Buffer.from("{}"), here);

    await expect(encrypted.open(encryptedBody, elsewhere)).rejects.toMatchObject({
      code: "store.body_misplaced",
      message: expect.stringContaining(`was written for ${here.column} ${here.row}`),
    });
  });

  test("is read by version 0.1, which knows nothing of places", async () => {
    const { body } = await encrypted.encrypt(Buffer.from("a body"), here);

    expect(decryptAsBefore(newer, body).toString()).toBe("a body");
  });

  test("opens anywhere if it names no place, as what version 0.1 wrote", async () => {
    const row = { body: encryptAsBefore(older, Buffer.from("a body")), bodyEncoding: "gzip", keyId: older.id };

    expect(encrypted.namesPlace(row)).toBe(false);
    expect((await encrypted.open(row, here)).toString()).toBe("a body");
  });
});

function aKey(): EncryptionKey {
  const read = readEncryptionKeys(makeEncryptionKey(new Date()));
  if (!read.ok) throw new Error(read.problem);
  return read.keys[0]!;
}

function withBitFlipped(body: Buffer): Buffer {
  const changed = Buffer.from(body);
  changed[changed.length - 1]! ^= 1;
  return changed;
}
