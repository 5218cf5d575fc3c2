import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { defaultTiming } from "../../../src/cases/timing.ts";
import type { Automation } from "../../../src/dashboard/automation-ports.ts";
import { codeOf } from "../../../src/kernel/app-error.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { createAutomation } from "../../../src/store/cases/automation.ts";
import type { WorkerContext } from "../../../src/worker/worker-context.ts";
import { sampleNotification, withDeparture } from "../../builders/sample-notification.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { eventually } from "../../harness/eventually.ts";
import { createScriptedGateway } from "../../harness/scripted-gateway.ts";
import { createWorkerUnderTest, type WorkerUnderTest } from "../../harness/worker.ts";

/** A worker holds the row of its case while it waits for the switch of automatic effects, and a receiver needs that row. */

let db: TestDatabase;
let automation: Automation;
let orderNumber = 0;
beforeAll(async () => {
  db = await createTestDatabase();
  automation = createAutomation(db.database, systemClock, { sources: ["default"] });
});
afterAll(() => db.drop());
afterEach(() => automation.resume({ actor: "person:rui", source: null }));

let orderId: string;
beforeEach(() => {
  orderNumber += 1;
  orderId = `SWITCHED${orderNumber}`;
});

async function notified(order: string, changes: Partial<WorkerContext> = {}): Promise<WorkerUnderTest> {
  const body = sampleNotification("minor-delay", { orderId: order, reference: "REF1" });
  const worker = createWorkerUnderTest(db.database, createScriptedGateway(body), changes);
  await worker.notify(body);
  return worker;
}

const stop = () => automation.stop({ actor: "person:ana", source: null, note: "wrong limits" });

/** Until so many wait for the switch. */
const waitForWaiting = (count: number, locktype: "advisory" | "transactionid") =>
  eventually(async () => {
    const { rows } = await db.ownerDatabase.pool.query(
      `select 1 from pg_locks l join pg_stat_activity a using (pid)
       where l.locktype = $1 and not l.granted and a.datname = current_database()`,
      [locktype],
    );
    expect(rows).toHaveLength(count);
  });

test("a notification is acknowledged although somebody stops automatic effects and a process is frozen in its plan", async () => {
  const worker = await notified(orderId);
  const frozen = await db.database.pool.connect();
  await frozen.query("begin");
  await frozen.query("select skedchange.automation_is_stopped('default')");
  const stopping = stop();
  await waitForWaiting(1, "advisory");
  const working = worker.worker.workOn({ source: "default", orderId });
  await waitForWaiting(2, "advisory");

  const body = withDeparture(sampleNotification("minor-delay", { orderId, reference: "REF1" }), "10:10:00");
  const notifying = worker.notify(body).then(() => "acknowledged");
  const end = await Promise.race([notifying, sleep(3_000, "still waiting")]);

  await frozen.query("rollback");
  frozen.release();
  await Promise.all([stopping, working, notifying]);
  expect(end).toBe("acknowledged");
});

test("a stop of automatic effects does not fail because a receiver and a worker wait for each other through it", async () => {
  // Accepted, and not sent yet: the stop makes its case due.
  const inUndoWindow = await notified(`${orderId}A`, { timing: { ...defaultTiming, undoWindowMs: 600_000 } });
  await inUndoWindow.work(`${orderId}A`);
  const worker = await notified(`${orderId}B`);
  const lockCase = "select 1 from skedchange.cases where order_id = $1 for update";

  // The receiver of a notification of both orders locks their cases one after the other.
  const receiver = await db.database.pool.connect();
  await receiver.query("begin");
  await receiver.query(lockCase, [`${orderId}A`]);
  const stopping = stop().then(
    () => "stopped",
    (error: unknown) => codeOf(error),
  );
  await waitForWaiting(1, "transactionid");
  const working = worker.worker.workOn({ source: "default", orderId: `${orderId}B` }).catch(() => {});
  await waitForWaiting(1, "advisory");
  await receiver.query(lockCase, [`${orderId}B`]).catch(() => {});
  await receiver.query("rollback");
  receiver.release();
  await working;

  expect(await stopping).toBe("stopped");
});
