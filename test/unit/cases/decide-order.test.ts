import { describe, expect, test } from "vitest";
import { evaluateNotification } from "../../../src/app/backtest/evaluate-notification.ts";
import { readPolicyFile, shippedPolicyNames } from "../../../src/app/policy-file.ts";
import { decideOrder } from "../../../src/cases/decide-order.ts";
import { readNotification } from "../../../src/contract/notification.ts";
import type { OrderView } from "../../../src/contract/order-view.ts";
import { known } from "../../../src/kernel/fact.ts";
import { aMinorDelay, anOrderView, aSegment, bytesOf } from "../../builders/order-view.ts";
import { datedSample, type SampleName } from "../../builders/sample-notification.ts";

const { policy } = readPolicyFile("cautious");
const now = new Date("2026-11-01T00:00:00Z");
const clock = { now: () => now };

describe("deciding about order views", () => {
  const samples: readonly SampleName[] = ["minor-delay", "misconnection", "replaced-by-two", "cancelled"];

  test.each(samples)("decides the sample %s as the worker would by every shipped policy", (name) => {
    const policies = shippedPolicyNames.map((shipped) => readPolicyFile(shipped).policy);
    const body = bytesOf(datedSample(name));
    const judged = evaluateNotification({ body, source: "default", now, statusBody: null }, policies);
    if (!judged.ok) throw new Error(judged.message);
    const [order] = judged.orders;

    for (const [position, each] of policies.entries()) {
      const decision = decideOrder(null, viewOf(body), each, { clock });

      expect(order!.verdicts[position]).toMatchObject({
        action: decision.action,
        rule: decision.rule,
        reasons: decision.reasons,
      });
      expect(decision.facts).toEqual(order!.assessment.facts);
    }
  });

  test("compares with the order before the change if it is given", () => {
    const status = viewOf(bytesOf(aMinorDelay()));
    const segments = [aSegment("Segment1", "LH1167", "LIS 2027-03-14 07:00", "FRA 2027-03-14 11:20")];
    const earlier = viewOf(bytesOf(anOrderView({ segments })));

    expect(decideOrder(null, status, policy, { clock }).facts.departureLaterMinutes).toEqual(known(20));
    expect(decideOrder(earlier, status, policy, { clock }).facts.departureLaterMinutes).toEqual(known(30));
  });

  test("refuses a status of several orders if none is named, and an order that a view does not show", () => {
    const both = datedSample("minor-delay");
    both.OrderViewRS.Order.push({ ...both.OrderViewRS.Order[0], OrderID: "OTHER1" });
    const status = viewOf(bytesOf(both));

    expect(() => decideOrder(null, status, policy, { clock })).toThrow(
      expect.objectContaining({ code: "decide.several_orders" }),
    );
    expect(decideOrder(null, status, policy, { clock, orderId: "OTHER1" }).orderId).toBe("OTHER1");
    expect(() => decideOrder(null, status, policy, { clock, orderId: "UNKNOWN1" })).toThrow(
      expect.objectContaining({ code: "decide.no_order", message: "The status does not show order UNKNOWN1." }),
    );
    expect(() => decideOrder(viewOf(bytesOf(anOrderView())), status, policy, { clock, orderId: "OTHER1" })).toThrow(
      expect.objectContaining({
        code: "decide.no_order",
        message: "The view before the change does not show order OTHER1.",
      }),
    );
  });
});

function viewOf(body: Uint8Array): OrderView {
  const read = readNotification(body);
  if (!read.ok) throw new Error(read.problem.message);
  return read.view;
}
