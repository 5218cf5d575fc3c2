import { describe, expect, test } from "vitest";
import { defaultRetrySchedule, planRetry } from "../../../src/sender/retry-schedule.ts";

const hourMs = 3_600_000;
const firstTriedAt = new Date("2026-11-21T10:00:00Z");

function plan(overrides: Partial<Parameters<typeof planRetry>[1]> = {}) {
  return planRetry(defaultRetrySchedule, {
    failures: 1,
    firstTriedAt,
    now: firstTriedAt,
    retryAfterMs: null,
    random: 0.5,
    ...overrides,
  });
}

function waitMs(overrides: Partial<Parameters<typeof planRetry>[1]> = {}): number {
  const made = plan(overrides);
  if (made.kind !== "retry") throw new Error("gave up");
  return made.dueAt.getTime() - (overrides.now ?? firstTriedAt).getTime();
}

describe("the retry schedule", () => {
  test.each([
    [1, 5_000],
    [2, 10_000],
    [3, 20_000],
    [13, 5_000 * 2 ** 12],
    [14, 10 * hourMs],
    [500, 10 * hourMs],
  ])("waits, after failure %d, %d ms", (failures, expected) => {
    expect(waitMs({ failures })).toBe(expected);
  });

  test("spreads a wait by a fifth both ways", () => {
    expect(waitMs({ random: 0 })).toBe(4_000);
    expect(waitMs({ random: 0.999999 })).toBe(6_000);
  });

  test("waits as long as the recipient asks when that is longer than the schedule", () => {
    expect(waitMs({ retryAfterMs: 120_000 })).toBe(120_000);
  });

  test("waits as long as the schedule says when the recipient asks for less", () => {
    expect(waitMs({ retryAfterMs: 0 })).toBe(5_000);
  });

  test("lets a recipient ask for no more than the cap", () => {
    expect(waitMs({ retryAfterMs: 10 * hourMs })).toBe(10 * hourMs);
    expect(waitMs({ retryAfterMs: 10 * hourMs + 1 })).toBe(10 * hourMs);
  });

  test("gives up when the next try would start later than 72 hours after the first", () => {
    const now = new Date(firstTriedAt.getTime() + 62 * hourMs);

    expect(plan({ failures: 20, now }).kind).toBe("retry");
    expect(plan({ failures: 20, now: new Date(now.getTime() + 1) })).toEqual({ kind: "give-up" });
  });

  test("makes about twenty attempts over three days", () => {
    let now = firstTriedAt;
    let attempts = 1;
    for (;;) {
      const next = plan({ failures: attempts, now });
      if (next.kind === "give-up") break;
      now = next.dueAt;
      attempts += 1;
    }

    expect(attempts).toBe(20);
    expect((now.getTime() - firstTriedAt.getTime()) / hourMs).toBeCloseTo(71.4, 1);
  });
});
