import { expect, test } from "vitest";
import type { Delivery } from "../../../../src/dashboard/web/deliveries/delivery-api.ts";
import { groupDeliveries } from "../../../../src/dashboard/web/deliveries/delivery-groups.ts";

const delivery = (id: string, changeId: string, replayOf: string | null = null): Delivery =>
  ({ id, orderId: "QX7R2M1A", changeId, replayOf }) as Delivery;

test("deliveries of one notification are a group where the first of them stands, and what is sent again is on its own", () => {
  const groups = groupDeliveries([
    delivery("again", "change-1", "a1"),
    delivery("b1", "change-2"),
    delivery("a2", "change-1"),
    delivery("b2", "change-2"),
    delivery("a1", "change-1"),
  ]);

  expect(groups.map(({ deliveries }) => deliveries.map(({ id }) => id))).toEqual([
    ["again"],
    ["b1", "b2"],
    ["a2", "a1"],
  ]);
  expect(new Set(groups.map(({ key }) => key)).size).toBe(3);
});
