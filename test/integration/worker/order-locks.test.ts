import { afterAll, beforeAll, expect, test } from "vitest";
import { dialect } from "../../../src/connectors/document/dialect.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { createCaseStore } from "../../../src/store/cases/case-store.ts";
import { lockOrders } from "../../../src/store/cases/claim-orders.ts";
import { createClockStore } from "../../../src/store/cases/clocks.ts";
import { sql } from "../../../src/store/database/sql.ts";
import { inTransaction } from "../../../src/store/database/transaction.ts";
import { insertCase } from "../../builders/case-rows.ts";
import { sampleNotification } from "../../builders/sample-notification.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { createScriptedGateway } from "../../harness/scripted-gateway.ts";
import { createWorkerUnderTest } from "../../harness/worker.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

// A receiver holds the case by then. Had it to wait for the order, and its holder for the case, both would wait for ever.
test("a notification opens the next case of an order whose row somebody holds", async () => {
  const orderId = "HELD1";
  await insertCase(db.ownerDatabase, { orderId, state: "done", dueAt: null });
  const worker = createWorkerUnderTest(
    db.database,
    createScriptedGateway(sampleNotification("minor-delay", { orderId })),
  );

  await inTransaction(db.database, async (transaction) => {
    await lockOrders(transaction, [{ source: "default", orderId, isSending: false }]);
    expect(await worker.notify(sampleNotification("minor-delay", { orderId }))).toBe(1);
  });

  expect((await worker.casesOf(orderId)).map(({ state }) => state)).toEqual(["received", "done"]);
});

// Whoever inserts a row that names the order holds its key. That is no reason to pass the order over.
test("an order that somebody names in a new row is handed out and marked overdue all the same", async () => {
  const orderId = "NAMED1";
  const id = await insertCase(db.ownerDatabase, { orderId, state: "awaiting-agent", dueAt: new Date(0) });
  await db.ownerDatabase.pool.query(
    "update skedchange.cases set due_by = now(), due_by_rule = 'departure' where id = $1",
    [id],
  );
  const store = createCaseStore(db.database, systemClock, dialect);
  const clocks = createClockStore(db.database, systemClock);

  await inTransaction(db.database, async (transaction) => {
    await sql`select 1 from skedchange.orders where order_id = ${orderId} for key share`.execute(transaction);
    expect(await store.takeDueOrders(10, 1_000)).toContainEqual({ source: "default", orderId });
    expect(await clocks.markOverdue(10)).toMatchObject([{ caseId: id }]);
  });
});
