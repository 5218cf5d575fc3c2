import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dialect } from "../../../src/connectors/document/dialect.ts";
import { codeOf } from "../../../src/kernel/app-error.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { createCaseStore } from "../../../src/store/cases/case-store.ts";
import { insertCase } from "../../builders/case-rows.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

// The worker reads the status of a finished case and finds new work. A notification has the case in hand by then, and the
// lease is over.
test("a worker whose lease is lost opens no next case, also when a statement of it had to wait", async () => {
  const orderId = "ROLLED1";
  const key = { source: "default", orderId };
  const caseId = await insertCase(db.ownerDatabase, { orderId, state: "done", dueAt: new Date(0) });
  const store = createCaseStore(db.database, systemClock, dialect);
  const taken = await store.take(key, "test", 10_000);
  const context = await taken?.context;
  if (taken == null || context == null) throw new Error("nothing was due");
  await db.ownerDatabase.pool.query("update skedchange.orders set lease_fence = lease_fence + 1 where order_id = $1", [
    orderId,
  ]);

  const receiver = await db.database.pool.connect();
  await receiver.query("begin");
  await receiver.query("select 1 from skedchange.cases where id = $1 for update", [caseId]);
  const saving = store.save(taken.lease, context.case, [{ kind: "next-case" }]).then(
    () => null,
    (error: unknown) => codeOf(error),
  );
  await sleep(200);
  await receiver.query("rollback");
  receiver.release();
  expect(await saving).toBe("desk.lease_lost");
  await sleep(200);

  const { rows } = await db.ownerDatabase.pool.query("select state from skedchange.cases where order_id = $1", [
    orderId,
  ]);
  expect(rows).toEqual([{ state: "done" }]);
});
