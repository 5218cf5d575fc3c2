import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readBasicCredentials } from "../../../src/http/basic-credentials.ts";

const encode = (text: string | Buffer): string => Buffer.from(text as string).toString("base64");

describe("readBasicCredentials", () => {
  test("splits at the first colon only, whatever the name and the password hold", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }).filter((name) => !name.includes(":")),
        fc.string({ unit: "grapheme" }),
        (username, password) => {
          const header = `Basic ${encode(`${username}:${password}`)}`;
          expect(readBasicCredentials(header)).toEqual({ username, password });
        },
      ),
    );
  });

  test.each(["basic", "BASIC", "bAsIc"])("takes the scheme name as %s", (scheme) => {
    expect(readBasicCredentials(`${scheme}  ${encode("a:b")}`)).toEqual({ username: "a", password: "b" });
  });

  test.each([
    ["no header", undefined],
    ["an empty one", ""],
    ["another scheme", "Bearer abc"],
    ["a scheme that only begins so", `Basically ${encode("a:b")}`],
    ["no credentials", "Basic"],
    ["credentials without a colon", `Basic ${encode("ab")}`],
    ["something that is not base64", "Basic EncryptionKey!"],
    ["two values", `Basic ${encode("a:b")} ${encode("c:d")}`],
    ["bytes that are not UTF-8", `Basic ${encode(Buffer.from([0x61, 0x3a, 0xe4]))}`],
  ])("finds no credentials in %s", (_, header) => {
    expect(readBasicCredentials(header)).toBeNull();
  });
});
