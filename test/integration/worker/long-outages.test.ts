import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sampleNotification } from "../../builders/sample-notification.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import {
  createScriptedGateway,
  type MovableClock,
  ScriptedFailure,
  type ScriptedGateway,
} from "../../harness/scripted-gateway.ts";
import { createWorkerUnderTest, type WorkerUnderTest } from "../../harness/worker.ts";

/** Outages that last for a day, with a clock that is moved by hours. */

const hourMs = 3_600_000;

let db: TestDatabase;
let orderNumber = 0;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

let orderId: string;
let gateway: ScriptedGateway;
let worker: WorkerUnderTest;
let clock: MovableClock;

beforeEach(async () => {
  orderNumber += 1;
  orderId = `LONG${orderNumber}`;
  const body = sampleNotification("minor-delay", { orderId, reference: `REF${orderNumber}` });
  gateway = createScriptedGateway(body);
  ({ clock } = gateway);
  worker = createWorkerUnderTest(db.database, gateway);
  await worker.notify(body);
});

/** Lets an hour go by, at the end of which the order is looked at again. */
async function anHourLater(): Promise<void> {
  clock.aheadMs += hourMs;
  await worker.makeDue(orderId);
  await worker.work(orderId);
}

async function waitSeconds(): Promise<number> {
  const { rows } = await db.database.pool.query(
    "select extract(epoch from due_at - now())::float8 as seconds from skedchange.cases where order_id = $1",
    [orderId],
  );
  return rows[0].seconds;
}

describe("a gateway that is down for a day", () => {
  test("is asked again and again, a person is called after an hour, and the change is accepted once it is back", async () => {
    gateway.statusFailure = new ScriptedFailure("before-sending", "gateway.unreachable");

    await worker.work(orderId);
    expect(await worker.caseOf(orderId)).toMatchObject({
      state: "checking",
      lastError: { code: "gateway.unreachable" },
    });
    for (let hour = 1; hour <= 24; hour += 1) {
      await anHourLater();
      expect(await waitSeconds()).toBeLessThanOrEqual(60);
    }

    const called = await worker.caseOf(orderId);
    expect(called).toMatchObject({ state: "awaiting-agent", lastError: { code: "gateway.unreachable" } });
    expect(gateway.statusReads).toBe(25);
    expect(called.decision?.reasons[0]?.code).toBe("gateway-unreachable");
    // A day of tries adds one decision, not one for each.
    expect(called.decisions).toHaveLength(1);
    expect(gateway.journal).toEqual([]);

    gateway.statusFailure = null;
    await anHourLater();

    expect(await worker.caseOf(orderId)).toMatchObject({ state: "done", failures: 0, lastError: null });
    expect(gateway.journal.map(({ action }) => action)).toEqual(["accept"]);
  });
});

describe("a gateway that does not take our credentials", () => {
  test("leaves cases waiting instead of refusing each, and they go on once the credentials are right", async () => {
    gateway.statusFailure = new ScriptedFailure("responded", "gateway.unauthorized");

    await worker.work(orderId);
    expect(await worker.caseOf(orderId)).toMatchObject({
      state: "checking",
      lastError: { code: "gateway.unauthorized" },
    });
    await anHourLater();
    expect((await worker.caseOf(orderId)).decision?.reasons[0]?.code).toBe("gateway-unreachable");

    gateway.statusFailure = null;
    await anHourLater();

    expect((await worker.caseOf(orderId)).state).toBe("done");
    expect(gateway.journal).toHaveLength(1);
  });
});

describe("a clock that jumps", () => {
  test("a day ahead and back again neither loses a case nor puts it off, and accepts once", async () => {
    gateway.statusFailure = new ScriptedFailure("before-sending", "gateway.unreachable");
    await worker.work(orderId);
    for (const aheadMs of [24 * hourMs, -24 * hourMs]) {
      clock.aheadMs = aheadMs;
      await worker.makeDue(orderId);
      await worker.work(orderId);
      // The wait is counted by the database's clock, which did not jump.
      expect(await waitSeconds()).toBeLessThanOrEqual(60);
    }

    gateway.statusFailure = null;
    await worker.makeDue(orderId);
    await worker.work(orderId);

    expect((await worker.caseOf(orderId)).state).toBe("done");
    expect(gateway.journal.map(({ action }) => action)).toEqual(["accept"]);
  });
});
