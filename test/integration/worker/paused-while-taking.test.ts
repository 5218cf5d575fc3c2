import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dialect } from "../../../src/connectors/document/dialect.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { createCaseStore } from "../../../src/store/cases/case-store.ts";
import type { Database } from "../../../src/store/database/database.ts";
import { connectionTo } from "../../../src/store/database/transaction.ts";
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

/** The same database. `beforeNext` runs before each connection but the first is lent, with how many there were. */
function withHook(database: Database, beforeNext: (trips: number) => Promise<void>): Database {
  let trips = 0;
  const connect = async () => {
    if (trips > 0) await beforeNext(trips);
    trips += 1;
    return await database.pool.connect();
  };
  const pool = { connect } as unknown as pg.Pool;
  return { ...database, pool, connection: connectionTo(pool) };
}

test("a process that is paused while it takes an order gives up when somebody else has had the order meanwhile", async () => {
  const orderId = "PAUSED1";
  const key = { source: "default", orderId };
  await insertCase(db.ownerDatabase, { orderId, state: "received", dueAt: new Date(0) });
  const body = sampleNotification("flight-number-only", { orderId, reference: "REF1" });
  const other = createWorkerUnderTest(db.database, createScriptedGateway(body), { holder: "other" });
  // A receiver has the case when this process takes the order, so it must be read again.
  const receiver = await db.ownerDatabase.pool.connect();
  await receiver.query("begin");
  await receiver.query("select from skedchange.cases where order_id = $1 for update", [orderId]);
  let tripsMade = 0;
  let isOver = false;
  const paused = createCaseStore(
    withHook(db.database, async (trips) => {
      tripsMade = trips;
      if (isOver) throw new Error("the test is over");
      if (trips > 1) return;
      await receiver.query("commit");
      await db.ownerDatabase.pool.query("update skedchange.orders set leased_until = now() where order_id = $1", [
        orderId,
      ]);
      await other.work(orderId);
      expect((await other.caseOf(orderId)).state).toBe("awaiting-agent");
    }),
    systemClock,
    dialect,
  );

  const taking = paused.take(key, "paused", 10_000);
  const settled = taking.then(
    async (taken) =>
      (await taken?.context.then(
        () => "taken",
        () => "given up",
      )) ?? "given up",
    () => "given up",
  );
  const end = await Promise.race([settled, sleep(10_000, "still taking", { ref: false })]);
  isOver = true;
  await settled;
  receiver.release();

  expect({ end, tripsMade }).toEqual({ end: "given up", tripsMade: 1 });
});
