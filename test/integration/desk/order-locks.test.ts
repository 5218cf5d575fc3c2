import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { lockOrder } from "../../../src/store/case-leases.ts";
import { insertCase } from "../../builders/case-rows.ts";
import { sampleNotification } from "../../builders/sample-notification.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { createDeskUnderTest } from "../../harness/desk.ts";
import { createScriptedGateway } from "../../harness/scripted-gateway.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

// A receiver holds the case by then. Had it to wait for the order, and its holder for the case, both would wait for ever.
test("a notification opens the next case of an order whose row somebody holds", async () => {
  const orderId = "HELD1";
  await insertCase(db.ownerDatabase, { orderId, state: "done", dueAt: null });
  const desk = createDeskUnderTest(db.database, createScriptedGateway(sampleNotification("minor-delay", { orderId })));

  await db.database.kysely.transaction().execute(async (transaction) => {
    await lockOrder(transaction, "default", orderId);
    expect(await desk.notify(sampleNotification("minor-delay", { orderId }))).toBe(1);
  });

  expect((await desk.casesOf(orderId)).map(({ state }) => state)).toEqual(["received", "done"]);
});
