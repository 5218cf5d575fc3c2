import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { sampleNotification } from "../../builders/sample-notification.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { eventually } from "../../harness/eventually.ts";
import { forgetOutcomes } from "../../harness/forget-outcomes.ts";
import { createScriptedGateway, result } from "../../harness/scripted-gateway.ts";
import { createWorkerUnderTest } from "../../harness/worker.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());
/** What gateways do in one test must not stop automation in the next. */
beforeEach(() => forgetOutcomes(db.database));

// A queue may hand out an order a second time while it is worked on: a job whose process seemed to have stalled.
test("a handler that is refused an order leaves its case alone when another handler of its process has the order", async () => {
  const orderId = "HOLDER1";
  const key = { source: "default", orderId };
  const gateway = createScriptedGateway(sampleNotification("minor-delay", { orderId, reference: "REF1" }));
  const { worker, notify, makeDue, caseOf } = createWorkerUnderTest(db.database, gateway);
  await notify(sampleNotification("minor-delay", { orderId, reference: "REF1" }));

  // The first handler waits so long for the response to its accept that it loses the order.
  let respondLate = (): void => {};
  gateway.responses.push(async () => {
    await new Promise<void>((resolve) => (respondLate = resolve));
    return [result({ orderId, gdsBookingReferences: ["REF1"] }, "FAILED", "no seats")];
  });
  const first = worker.workOn(key);
  await eventually(() => expect(gateway.journal).toHaveLength(1));
  await db.ownerDatabase.pool.query("update skedchange.orders set leased_until = now() where order_id = $1", [orderId]);
  expect(await worker.workOn(key)).toBe("settling");

  // While the second one reads the status to settle the accept, the response comes, and a person is asked.
  let third: string | undefined;
  let asked: unknown;
  const read = gateway.readStatus;
  gateway.readStatus = async (query) => {
    const response = await read(query);
    respondLate();
    await first;
    asked = await caseOf(orderId);
    third = await worker.workOn(key);
    return response;
  };
  await makeDue(orderId);
  await worker.workOn(key);

  expect(asked).toMatchObject({ state: "awaiting-agent", reviewQueue: "agent", dueAt: null });
  expect(third).toBe("not-due");
  // Not `checking` without a due time, where neither a person nor a worker looks at it.
  expect(await caseOf(orderId)).toMatchObject({ state: "awaiting-agent", dueAt: null });
});
