import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { open, seal } from "../../../src/store/sealing.ts";

test("what is sealed opens to the same bytes, whatever they are", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 2_000 }), async (bytes) => {
      const sealed = await seal(bytes);

      expect(sealed).toMatchObject({ bodyEncoding: "gzip", bodyBytes: bytes.length, keyId: null });
      expect(await open(sealed)).toEqual(Buffer.from(bytes));
    }),
    { numRuns: 50 },
  );
});

test("text that repeats itself, as order views do, becomes much shorter", async () => {
  const text = Buffer.from(
    JSON.stringify(Array.from({ length: 200 }, () => ({ SegmentStatus: "HK", Cabin: "Economy" }))),
  );

  expect((await seal(text)).body.length).toBeLessThan(text.length / 4);
});

describe("what cannot be opened says why", () => {
  test("a key that this process does not have", async () => {
    const sealed = await seal(Buffer.from("{}"));

    await expect(open({ ...sealed, keyId: "2026-a" })).rejects.toMatchObject({
      code: "store.cannot_open",
      message: expect.stringContaining("encrypted with the key 2026-a"),
    });
  });

  test("an encoding of a later version", async () => {
    const sealed = await seal(Buffer.from("{}"));

    await expect(open({ ...sealed, bodyEncoding: "zstd" })).rejects.toMatchObject({
      code: "store.cannot_open",
      message: expect.stringContaining("has the encoding zstd"),
    });
  });

  test("damaged bytes", async () => {
    const sealed = await seal(Buffer.from("{}"));

    await expect(open({ ...sealed, body: sealed.body.subarray(0, -4) })).rejects.toMatchObject({
      code: "store.cannot_open",
      message: expect.stringContaining("is damaged"),
    });
  });
});
