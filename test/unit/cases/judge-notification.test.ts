import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { readPolicyFile, readPolicyText, shippedPolicyNames } from "../../../src/app/policy-file.ts";
import { judgeNotification } from "../../../src/cases/judge-notification.ts";
import type { FactName } from "../../../src/itinerary/fact-catalogue.ts";
import type { Policy } from "../../../src/policy/policy.ts";
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

function expectSameOutcomes(body: unknown, now: Date): void {
  const notification = { body: Buffer.from(JSON.stringify(body)), source: "default", now, statusBody: null };
  const explained = judgeNotification(notification, policies);
  const counted = judgeNotification(notification, policies, "count");
  if (!explained.ok || !counted.ok) {
    expect(counted).toEqual(explained);
    return;
  }
  expect(counted.orders).toHaveLength(explained.orders.length);
  for (const [index, order] of explained.orders.entries()) {
    const same = counted.orders[index]!;
    expect(same.verdicts).toEqual(order.verdicts.map((verdict) => ({ ...verdict, trace: [] })));
    expect(same.severity).toEqual(order.severity);
    const names = Object.keys(order.assessment.facts) as FactName[];
    expect(Object.fromEntries(names.map((name) => [name, same.assessment.facts[name]]))).toEqual(
      order.assessment.facts,
    );
    expect(same.assessment.legal).toEqual(order.assessment.legal);
    expect(same.assessment.order).toEqual(order.assessment.order);
  }
}

describe("judging to count outcomes", () => {
  const samples: readonly SampleName[] = [
    "minor-delay",
    "misconnection",
    "replaced-by-two",
    "cancelled",
    "flight-number-only",
  ];

  test.each(samples)("decides the sample %s as judging to explain does", (name) => {
    for (const now of ["2026-11-01T00:00:00Z", "2027-03-13T12:00:00Z", "2030-01-01T00:00:00Z"]) {
      expectSameOutcomes(datedSample(name), new Date(now));
    }
  });

  test("decides any order view as judging to explain does, broken ones included", () => {
    const instant = fc.date({
      min: new Date("2025-01-01T00:00:00Z"),
      max: new Date("2031-01-01T00:00:00Z"),
      noInvalidDate: true,
    });
    fc.assert(fc.property(fc.oneof(anyOrderView(), anyBrokenOrderView()), instant, expectSameOutcomes), {
      numRuns: 100,
    });
  });

  test("does not ask the law about a change whose outcome does not depend on it", () => {
    const lawless: Policy = {
      ...shipped[0]!,
      get legalPresets(): never {
        throw new Error("The law was asked.");
      },
    };
    const judge = (sample: SampleName) =>
      judgeNotification(
        {
          body: Buffer.from(JSON.stringify(datedSample(sample))),
          source: "default",
          now: new Date("2026-11-01T00:00:00Z"),
          statusBody: null,
        },
        [lawless],
        "count",
      );

    expect(judge("misconnection")).toMatchObject({
      orders: [{ verdicts: [{ rule: "connection-broken", trace: [] }] }],
    });
    expect(() => judge("minor-delay")).toThrow("The law was asked.");
  });
});
