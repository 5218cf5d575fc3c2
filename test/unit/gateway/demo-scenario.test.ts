import { describe, expect, test } from "vitest";
import { orderViewResponseSchema } from "../../../src/contract/order-view-schema.ts";
import { bookOrder } from "../../../src/gateway/book-order.ts";
import { changeRequestSchema } from "../../../src/gateway/change-request.ts";
import { demoScenario } from "../../../src/gateway/demo-scenario.ts";
import { orderRequestSchema } from "../../../src/gateway/order-request.ts";
import { notificationBody } from "../../../src/gateway/order-view-body.ts";
import { proposeChange } from "../../../src/gateway/propose-change.ts";

const now = new Date("2026-12-30T23:59:00Z");
const hourMs = 3_600_000;

describe("the demonstration", () => {
  test("is the same for the same moment", () => {
    expect(demoScenario(now)).toEqual(demoScenario(now));
  });

  test("has one order for each change, under ids of their own", () => {
    const { orders, changes } = demoScenario(now);

    expect(new Set(orders.map((order) => order.orderId)).size).toBe(orders.length);
    expect(changes.map((change) => change.orderId)).toEqual(orders.map((order) => order.orderId));
  });

  test.each(demoScenario(now).changes)("is announced in a strict notification: $title", ({ orderId, change }) => {
    const request = demoScenario(now).orders.find((order) => order.orderId === orderId);
    const order = bookOrder(orderRequestSchema.parse(request), now);

    const changed = proposeChange(order, changeRequestSchema.parse(change), "change");

    const body: unknown = JSON.parse(notificationBody(changed).toString());
    expect(orderViewResponseSchema.safeParse(body).error?.issues).toBeUndefined();
  });

  test("has exactly one order that leaves within 72 hours, and none that has left", () => {
    const hours = demoScenario(now).orders.map(
      (order) => (Date.parse(`${order.flights?.[0]?.departure}:00Z`) - now.getTime()) / hourMs,
    );

    expect(hours.every((hour) => hour > 12)).toBe(true);
    expect(hours.filter((hour) => hour < 72 + 14)).toHaveLength(1);
  });
});
