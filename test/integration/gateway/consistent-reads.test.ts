import { afterAll, beforeAll, expect, test } from "vitest";
import type { GatewayOrder } from "../../../src/gateway/ports.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { newId } from "../../../src/kernel/ids.ts";
import { orderRequest } from "../../builders/gateway-order.ts";
import { type RunningGateway, startGateway } from "../../builders/running-gateway.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";

let db: TestDatabase;
let gateway: RunningGateway;
beforeAll(async () => {
  db = await createTestDatabase();
  gateway = await startGateway(db);
});
afterAll(async () => {
  await gateway.close();
  await db.drop();
});

test("an order that is read while it changes is as it was before or as it is after", async () => {
  const orderId = newId(systemClock);
  await gateway.control("POST", "/orders", orderRequest({ orderId }));
  const read: GatewayOrder[] = [];
  const committed = new Map<number, GatewayOrder>();
  const remember = async () => {
    const order = (await gateway.store.readOrder(orderId))!;
    committed.set(order.version, order);
  };
  let isChanging = true;
  const readers = Array.from({ length: 4 }, async () => {
    while (isChanging) read.push((await gateway.store.readOrder(orderId))!);
  });

  await remember();
  for (let round = 0; round < 15; round += 1) {
    await gateway.control("POST", `/orders/${orderId}/changes`, { kind: "retime", departureMinutes: 20 });
    await remember();
    await gateway.post("/AirOrderInvoluntaryAccept", {
      OrderInvoluntaryAcceptRQ: { Query: { OrderID: orderId, GdsBookingReference: ["LHSKD1"] } },
    });
    await remember();
  }
  isChanging = false;
  await Promise.all(readers);

  expect(committed.size).toBe(31);
  const torn = read.filter((order) => JSON.stringify(order) !== JSON.stringify(committed.get(order.version)));
  expect(torn).toEqual([]);
});
