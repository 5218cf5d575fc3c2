import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { evaluateNotification } from "../../../src/app/backtest/evaluate-notification.ts";
import { readPolicyFile, readPolicyText, shippedPolicyNames } from "../../../src/app/policy-file.ts";
import { anyBrokenOrderView, anyOrderView } from "../../builders/arbitrary-order-view.ts";
import { datedSample, type SampleName } from "../../builders/sample-notification.ts";

const shipped = shippedPolicyNames.map((name) => readPolicyFile(name).policy);
/** One that reads the law in its rules and not only in the guard. */
const lawful = readPolicyText(
  `version: 1
name: lawful
rules:
  - { name: paid, when: 'legal.held && legal.compensation == "entitled"', do: { review: { queue: legal } }, reason: paid }
  - { name: eu, when: 'legal.eu_261_refund != "not-entitled"', do: ask-traveller, reason: eu }
  - { name: rest, when: 'order.minutesSinceChange >= 0 && size(marketingCarriers) > 0', do: accept, reason: rest }
`,
  "lawful",
);
const policies = [...shipped, lawful];

function expectSameAlone(body: unknown, now: Date): void {
  const notification = { body: Buffer.from(JSON.stringify(body)), source: "default", now, statusBody: null };
  const together = evaluateNotification(notification, policies);
  for (const [position, policy] of policies.entries()) {
    const alone = evaluateNotification(notification, [policy]);
    expect(alone.ok).toBe(together.ok);
    if (!alone.ok || !together.ok) return;
    const verdicts = together.orders.map((order) => order.verdicts[position]);
    expect(alone.orders.map((order) => order.verdicts[0])).toEqual(verdicts);
  }
}

describe("evaluating a notification by several policies", () => {
  const samples: readonly SampleName[] = [
    "minor-delay",
    "misconnection",
    "replaced-by-two",
    "cancelled",
    "flight-number-only",
  ];

  test.each(samples)("decides the sample %s as each policy does alone", (name) => {
    for (const now of ["2026-11-01T00:00:00Z", "2027-03-13T12:00:00Z", "2030-01-01T00:00:00Z"]) {
      expectSameAlone(datedSample(name), new Date(now));
    }
  });

  test("decides any order view as each policy does alone, broken ones included", () => {
    const instant = fc.date({
      min: new Date("2025-01-01T00:00:00Z"),
      max: new Date("2031-01-01T00:00:00Z"),
      noInvalidDate: true,
    });
    fc.assert(fc.property(fc.oneof(anyOrderView(), anyBrokenOrderView()), instant, expectSameAlone), {
      numRuns: 50,
    });
  });
});
