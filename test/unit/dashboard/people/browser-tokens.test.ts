import { describe, expect, test } from "vitest";
import { createBrowserTokens } from "../../../../src/dashboard/people/browser-tokens.ts";
import { createEncryptionKey, readEncryptionKeys } from "../../../../src/kernel/encryption-keys.ts";

const aKey = () => createEncryptionKey(new Date("2026-11-21T09:00:00Z"));

function tokensWith(keysText: string) {
  const read = readEncryptionKeys(keysText);
  if (!read.ok) throw new Error(read.problem);
  return createBrowserTokens(read.keys);
}

describe("the token of a browser", () => {
  test("names one browser, also after the keys have changed", () => {
    const [old, present] = [aKey(), aKey()];
    const token = tokensWith(old).reuseOrMake(null);
    const id = tokensWith(old).idOf(token);

    expect(id).toMatch(/^[\w-]{22}$/);
    expect(tokensWith(`${present} ${old}`).idOf(token)).toBe(id);
    expect(tokensWith(old).idOf(tokensWith(old).reuseOrMake(null))).not.toBe(id);
  });

  test("cannot be made without a key, nor changed", () => {
    const tokens = tokensWith(aKey());
    const token = tokens.reuseOrMake(null)!;
    const [id, digest] = token.split(".");
    const forged = [
      null,
      "",
      id!,
      `${"A".repeat(22)}.${digest}`,
      `${id}.${"A".repeat(43)}`,
      `${token}A`,
      tokensWith(aKey()).reuseOrMake(null),
    ];

    expect(forged.map((each) => tokens.idOf(each))).toEqual(forged.map(() => null));
    expect(createBrowserTokens([]).reuseOrMake(null)).toBeNull();
    expect(createBrowserTokens([]).idOf(token)).toBeNull();
  });
});
