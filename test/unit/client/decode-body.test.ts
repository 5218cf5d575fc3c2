import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { decodeBody } from "../../../src/client/decode-body.ts";

const text = Buffer.from('{"OrderViewRS":{"Success":{}}}'.repeat(50));

describe("decoding a response", () => {
  test.each([
    ["nothing", null, text],
    ["identity", "identity", text],
    ["gzip", "gzip", gzipSync(text)],
    ["x-gzip in capitals", "X-GZIP", gzipSync(text)],
    ["deflate with its zlib wrapper", "deflate", deflateSync(text)],
    ["deflate without it", "deflate", deflateRawSync(text)],
    ["br", "br", brotliCompressSync(text)],
    ["two codings, the last one undone first", "gzip, br", brotliCompressSync(gzipSync(text))],
  ])("undoes %s", async (_, encoding, bytes) => {
    expect(await decodeBody(bytes, encoding, 10_000)).toEqual({ decoded: true, body: text });
  });

  test("accepts a body of exactly the limit and refuses one byte more", async () => {
    const bytes = gzipSync(text);

    expect(await decodeBody(bytes, "gzip", text.length)).toMatchObject({ decoded: true });
    expect(await decodeBody(bytes, "gzip", text.length - 1)).toMatchObject({ decoded: false, reason: "too-large" });
    expect(await decodeBody(text, null, text.length - 1)).toMatchObject({ decoded: false, reason: "too-large" });
  });

  test("stops a small body that grows without end", async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));

    expect(await decodeBody(bomb, "gzip", 1_000_000)).toMatchObject({ decoded: false, reason: "too-large" });
  });

  test("says when a body is damaged or cut off", async () => {
    expect(await decodeBody(text, "gzip", 10_000)).toMatchObject({ decoded: false, reason: "corrupt" });
    const cut = gzipSync(text).subarray(0, 30);
    expect(await decodeBody(cut, "gzip", 10_000)).toMatchObject({ decoded: false, reason: "corrupt" });
  });

  test.each(["zstd", "gzip, gzip, gzip, gzip"])("does not know '%s'", async (encoding) => {
    expect(await decodeBody(text, encoding, 10_000)).toMatchObject({ decoded: false, reason: "unknown-encoding" });
  });
});
