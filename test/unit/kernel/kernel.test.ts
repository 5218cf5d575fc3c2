import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AppError, codeOf, messageOf } from "../../../src/kernel/app-error.ts";
import { backOffMs } from "../../../src/kernel/back-off.ts";
import { digestOfBytes, digestOfValue } from "../../../src/kernel/digest.ts";
import { newId } from "../../../src/kernel/ids.ts";
import { Secret } from "../../../src/kernel/secret.ts";

describe("an id", () => {
  test("is a UUIDv7 of the moment it was made, so that ids sort by time", () => {
    const at = new Date("2026-11-21T09:00:00.123Z");
    const early = newId({ now: () => at });
    const late = newId({ now: () => new Date(at.getTime() + 1) });

    expect(early).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Number.parseInt(early.replaceAll("-", "").slice(0, 12), 16)).toBe(at.getTime());
    expect(early < late).toBe(true);
  });
});

describe("a digest", () => {
  test("of bytes is their SHA-256, nothing normalised", () => {
    expect(digestOfBytes(Buffer.from("abc")).toString("hex")).toBe(
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    );
    expect(digestOfBytes(Buffer.from("abc "))).not.toEqual(digestOfBytes(Buffer.from("abc")));
  });

  test("of a value does not depend on the order of its keys", () => {
    expect(digestOfValue({ a: 1, b: [{ c: null, d: "x" }] })).toBe(digestOfValue({ b: [{ d: "x", c: null }], a: 1 }));
  });

  test("of a value leaves out what is undefined and keeps what is null", () => {
    expect(digestOfValue({ a: 1, b: undefined })).toBe(digestOfValue({ a: 1 }));
    expect(digestOfValue({ a: 1, b: null })).not.toBe(digestOfValue({ a: 1 }));
  });

  test("of a list depends on its order", () => {
    expect(digestOfValue([1, 2])).not.toBe(digestOfValue([2, 1]));
  });
});

describe("a back-off", () => {
  const policy = { baseMs: 1_000, capMs: 30_000, jitter: 0.2 };

  test("doubles from the base up to the cap", () => {
    expect([1, 2, 3, 5, 6, 7].map((failures) => backOffMs(policy, failures, 0.5))).toEqual([
      1_000, 2_000, 4_000, 16_000, 30_000, 30_000,
    ]);
  });

  test("spreads both ways by the jitter", () => {
    expect(backOffMs(policy, 1, 0)).toBe(800);
    expect(backOffMs(policy, 1, 0.999_999)).toBe(1_200);
  });

  test("is finite and positive after any number of failures", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1_000_000 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (failures, random) => {
          const wait = backOffMs(policy, failures, random);
          expect(wait).toBeGreaterThanOrEqual(800);
          expect(wait).toBeLessThanOrEqual(36_000);
        },
      ),
    );
  });
});

describe("a secret", () => {
  test("never prints its value", () => {
    const secret = new Secret("hush");

    for (const shown of [`${secret}`, JSON.stringify({ secret }), inspect({ secret }), inspect(secret)]) {
      expect(shown).not.toContain("hush");
      expect(shown).toContain("[secret]");
    }
  });

  test("is revealed where it is used", () => {
    expect(new Secret("hush").reveal()).toBe("hush");
  });
});

describe("an error", () => {
  test("keeps its code, its cause, and whether a retry makes sense", () => {
    const cause = new Error("low level");
    const error = new AppError("store.unavailable", "The database is away.", { retryable: true, cause });

    expect(error).toMatchObject({ code: "store.unavailable", retryable: true, cause });
  });

  test("of any kind has a code and a message", () => {
    expect(codeOf(Object.assign(new Error("x"), { code: "ECONNREFUSED" }))).toBe("ECONNREFUSED");
    expect(codeOf(new Error("x"))).toBe("unexpected");
    expect(codeOf("text")).toBe("unexpected");
    expect(messageOf("text")).toBe("text");
  });
});
