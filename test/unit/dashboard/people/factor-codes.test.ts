import { describe, expect, test } from "vitest";
import {
  factorUri,
  newFactorSecret,
  newRecoveryCodes,
  readFactorCode,
  stepOfCode,
} from "../../../../src/dashboard/people/factor-codes.ts";

/** `12345678901234567890` in base32: the secret of RFC 6238, appendix B. */
const rfcSecret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
const at = (seconds: number): Date => new Date(seconds * 1_000);

describe("a code of an authenticator app", () => {
  // The last six digits of the eight that the RFC has.
  test.each([
    [59, "287082", 1],
    [1_111_111_109, "081804", 37_037_036],
    [1_111_111_111, "050471", 37_037_037],
    [1_234_567_890, "005924", 41_152_263],
    [2_000_000_000, "279037", 66_666_666],
  ])("at %d s is that of the RFC", (seconds, code, step) => {
    expect(stepOfCode(rfcSecret, code, at(seconds), null)).toBe(step);
  });

  test("works for a step longer and a step earlier than it is shown, and no further", () => {
    const step = (seconds: number) => stepOfCode(rfcSecret, "005924", at(seconds), null);
    const begins = 41_152_263 * 30;

    expect([begins - 30, begins, begins + 59].map(step)).toEqual([41_152_263, 41_152_263, 41_152_263]);
    expect([begins - 31, begins + 60].map(step)).toEqual([null, null]);
  });

  test("works once, and none of a step before it does", () => {
    expect(stepOfCode(rfcSecret, "005924", at(1_234_567_890), 41_152_262)).toBe(41_152_263);
    expect(stepOfCode(rfcSecret, "005924", at(1_234_567_890), 41_152_263)).toBeNull();
  });

  test.each(["", "00592", "0059244", "abcdef", "１２３４５６"])("is not %j", (code) => {
    expect(readFactorCode(code)).toBeNull();
  });

  test("may be typed with the blank that apps show", () => {
    expect(readFactorCode(" 005 924 ")).toEqual({ kind: "totp", digits: "005924" });
  });
});

describe("a recovery code", () => {
  test("is one of ten, random, and known by its digest, however it is typed", () => {
    const { codes, digests } = newRecoveryCodes();

    expect(new Set(codes).size).toBe(10);
    expect(codes[0]).toMatch(/^([a-z2-9]{4}-){3}[a-z2-9]{4}$/);
    expect(codes.map((code) => readFactorCode(code.toUpperCase().replaceAll("-", " ")))).toEqual(
      digests.map((digest) => ({ kind: "recovery", digest })),
    );
  });
});

test("a secret has 160 random bits, and its URI names user and installation", () => {
  const [secret, other] = [newFactorSecret(), newFactorSecret()];

  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(other).not.toBe(secret);
  expect(factorUri(secret, { username: "ana@agency", place: "skedchange.example.com" })).toBe(
    `otpauth://totp/Skedchange:ana%40agency%40skedchange.example.com?issuer=Skedchange&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
  );
});
