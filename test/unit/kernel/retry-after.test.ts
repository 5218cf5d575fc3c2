import { describe, expect, test } from "vitest";
import { readRetryAfterMs } from "../../../src/kernel/retry-after.ts";

const now = new Date("2026-11-21T10:00:00Z");

describe("Retry-After", () => {
  test.each([
    ["0", 0],
    ["120", 120_000],
    [" 7 ", 7_000],
    ["Sat, 21 Nov 2026 10:01:30 GMT", 90_000],
    ["Sat, 21 Nov 2026 10:00:00 GMT", 0],
    ["Sat, 21 Nov 2026 09:00:00 GMT", 0],
  ])("reads %p as %d ms", (header, waitMs) => {
    expect(readRetryAfterMs(header, now)).toBe(waitMs);
  });

  test.each([undefined, null, "", "soon", "-5", "1.5", "2026-11-21T10:01:30Z", "Sat, 41 Nov 2026 10:01:30 GMT"])(
    "finds no wait in %p",
    (header) => {
      expect(readRetryAfterMs(header, now)).toBeNull();
    },
  );

  test("stays a finite number for any number of digits", () => {
    expect(Number.isFinite(readRetryAfterMs("9".repeat(400), now))).toBe(true);
  });
});
