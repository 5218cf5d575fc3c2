import { expect, test } from "vitest";
import { createEncryptionKey, readEncryptionKeys } from "../../../src/kernel/encryption-keys.ts";

const now = new Date("2026-11-21T12:00:00Z");
const bytes = (count: number): string => Buffer.alloc(count, 7).toString("base64");

test("a key that was made is read again, and is dated", () => {
  const text = createEncryptionKey(now);
  const read = readEncryptionKeys(text);

  expect(text).toMatch(/^2026-11-21-[0-9a-f]{6}:/);
  expect(read).toMatchObject({ ok: true, keys: [{ id: text.split(":")[0] }] });
});

test("several keys are read in their order", () => {
  expect(readEncryptionKeys(` b:${bytes(32)}\n a:${bytes(32)} `)).toMatchObject({
    ok: true,
    keys: [{ id: "b" }, { id: "a" }],
  });
});

test.each([
  ["nothing", " ", "holds no key"],
  ["a key without an id", bytes(32), "has an entry (number 1) that is not <id>:<32 bytes in base64>"],
  ["31 bytes", `a:${bytes(31)}`, "has an entry (number 1) that is not <id>:<32 bytes in base64>"],
  ["33 bytes", `a:${bytes(33)}`, "has an entry (number 1) that is not <id>:<32 bytes in base64>"],
  ["a wrong second one", `a:${bytes(32)} b:!`, "has an entry (number 2) that is not <id>:<32 bytes in base64>"],
  ["the same id twice", `a:${bytes(32)} a:${bytes(32)}`, "names the key a twice"],
])("%s is refused without being repeated", (_, text, problem) => {
  expect(readEncryptionKeys(text)).toEqual({ ok: false, problem });
});
