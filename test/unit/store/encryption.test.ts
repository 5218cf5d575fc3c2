import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createEncryptionKey, type EncryptionKey, readEncryptionKeys } from "../../../src/kernel/encryption-keys.ts";
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

describe("a view that is compressed against its notification", () => {
  const notificationId = "019aa000-0000-7000-8000-00000000000a";
  const notificationPlace: Place = { column: "skedchange.notifications.body", row: notificationId };
  const view: Place = { column: "skedchange.status_views.body", row: here.row };
  /** 6 KB that do not become shorter by themselves. */
  const content = randomBytes(6_000).toString("base64");
  const notification = Buffer.from(`{"Order":"${content}","Status":"pending"}`);
  const later = Buffer.from(`{"Order":"${content}","Status":"accepted"}`);
  const repeated = { notificationId, bytes: notification };

  /** The notification as a row that stands beside the view. */
  async function beside(encryption: typeof encrypted, bytes: Buffer = notification, id = notificationId) {
    const { body, bodyEncoding, keyId } = await encryption.encrypt(bytes, { ...notificationPlace, row: id });
    return { againstId: id, againstBody: body, againstEncoding: bodyEncoding, againstKeyId: keyId };
  }

  test.each([
    ["without a key", plain, null],
    ["with a key", encrypted, newer.id],
  ])("has %s some hundred bytes, and opens with it to the same bytes", async (_, encryption, keyId) => {
    const stored = await encryption.encryptBody(later, view, repeated);

    expect(stored).toMatchObject({
      bodyEncoding: "deflate-against-notification",
      compressedAgainst: notificationId,
      bodyBytes: later.length,
      keyId,
    });
    expect(stored.body.length).toBeLessThan(250);
    expect(await encryption.open({ ...stored, ...(await beside(encryption)) }, view)).toEqual(later);
  });

  test("opens to the same bytes, whatever both are", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 3_000 }),
        fc.uint8Array({ minLength: 1_024, maxLength: 3_000 }),
        async (before, bytes) => {
          const stored = await encrypted.encryptBody(bytes, view, { notificationId, bytes: before });
          const row = { ...stored, ...(await beside(encrypted, Buffer.from(before))) };

          expect(await encrypted.open(row, view)).toEqual(Buffer.from(bytes));
        },
      ),
      { numRuns: 50 },
    );
  });

  test.each([
    ["the view has less than 1 KB", 1_023, 6_000, "gzip"],
    ["the view has 1 KB", 1_024, 6_000, "deflate-against-notification"],
    ["the view has 64 KB", 64 * 1024, 6_000, "deflate-against-notification"],
    ["the view has more than 64 KB", 64 * 1024 + 1, 6_000, "gzip"],
    ["the notification has 32 KB", 6_000, 32 * 1024, "deflate-against-notification"],
    ["the notification has more than 32 KB", 6_000, 32 * 1024 + 1, "gzip"],
  ])("is one only where that saves something: %s", async (_, length, notificationLength, bodyEncoding) => {
    const against = { notificationId, bytes: Buffer.alloc(notificationLength, "n") };
    const bytes = Buffer.alloc(length, "v");

    const stored = await encrypted.encryptBody(bytes, view, against);

    const isAlone = bodyEncoding === "gzip";
    expect(stored).toMatchObject({ bodyEncoding, compressedAgainst: isAlone ? null : notificationId });
    const row = isAlone ? stored : { ...stored, ...(await beside(encrypted, against.bytes)) };
    expect(await encrypted.open(row, view)).toEqual(bytes);
  });

  test("is encrypted anew without the notification, and opens whichever of both has the newer key", async () => {
    const before = createEncryption([older]);
    const stored = await before.encryptBody(later, view, repeated);
    const anew = { ...stored, ...(await encrypted.encryptAnew(stored, view)) };

    expect([stored.keyId, anew.keyId]).toEqual([older.id, newer.id]);
    for (const row of [stored, anew]) {
      for (const notified of [await beside(before), await beside(encrypted)]) {
        expect(await encrypted.open({ ...row, ...notified }, view)).toEqual(later);
      }
    }
  });

  test("does not open without the notification, nor with another one, and says which it needs", async () => {
    const stored = await encrypted.encryptBody(later, view, repeated);
    const other = await beside(encrypted, notification, "019aa000-0000-7000-8000-00000000000b");

    for (const row of [stored, { ...stored, againstId: notificationId, againstBody: null }, { ...stored, ...other }]) {
      await expect(encrypted.open(row, view)).rejects.toMatchObject({
        code: "store.cannot_open",
        message: expect.stringContaining(`compressed against the notification ${notificationId}`),
      });
    }
  });

  test("does not become other bytes if the notification has others than it had", async () => {
    const stored = await encrypted.encryptBody(later, view, repeated);
    const changed = await beside(encrypted, Buffer.from(notification.toString().replace("pending", "PENDING")));

    await expect(encrypted.open({ ...stored, ...changed }, view)).rejects.toMatchObject({
      code: "store.body_changed",
      message: expect.stringContaining(notificationId),
    });
  });

  test("does not open in another row, nor is it encrypted anew for one", async () => {
    const stored = { ...(await encrypted.encryptBody(later, view, repeated)), ...(await beside(encrypted)) };
    const elsewhere = { ...view, row: "019aa000-0000-7000-8000-000000000002" };

    expect(encrypted.namesPlace(stored)).toBe(true);
    for (const attempt of [encrypted.open(stored, elsewhere), encrypted.encryptAnew(stored, elsewhere)]) {
      await expect(attempt).rejects.toMatchObject({ code: "store.body_misplaced" });
    }
  });

  test.each([0, 1, 20, 100])("is damaged if only its first %i bytes are left", async (left) => {
    const stored = { ...(await plain.encryptBody(later, view, repeated)), ...(await beside(plain)) };

    await expect(plain.open({ ...stored, body: stored.body.subarray(0, left) }, view)).rejects.toMatchObject({
      code: "store.body_changed",
    });
  });

  test("has its card numbers masked before it is compressed", async () => {
    const card = Buffer.from(`{"Order":"${content}","CardNumber":"4111111111111111"}`);
    const stored = await encrypted.encryptBody(card, view, { notificationId, bytes: card });

    const opened = await encrypted.open({ ...stored, ...(await beside(encrypted, card)) }, view);

    expect(opened.toString()).toContain(`"CardNumber":"${"*".repeat(16)}"`);
  });
});

function aKey(): EncryptionKey {
  const read = readEncryptionKeys(createEncryptionKey(new Date()));
  if (!read.ok) throw new Error(read.problem);
  return read.keys[0]!;
}

function withBitFlipped(body: Buffer): Buffer {
  const changed = Buffer.from(body);
  changed[changed.length - 1]! ^= 1;
  return changed;
}
