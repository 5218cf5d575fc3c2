import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Encryption } from "../../../src/store/database/encryption.ts";
import { sql } from "../../../src/store/database/sql.ts";
import type { Gateway } from "../../../src/worker/gateway-ports.ts";
import { sampleNotification } from "../../builders/sample-notification.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { forgetOutcomes } from "../../harness/forget-outcomes.ts";
import { createScriptedGateway, ScriptedFailure } from "../../harness/scripted-gateway.ts";
import { createWorkerUnderTest } from "../../harness/worker.ts";

let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());
/** What gateways do in one test must not stop automation in the next. */
beforeEach(() => forgetOutcomes(db.database));
afterEach(async () => {
  await sql`truncate skedchange.cases, skedchange.orders, skedchange.notifications, skedchange.notification_digests cascade`.execute(
    db.ownerDatabase.connection,
  );
});

/** Shows each order as the minor delay has it. */
const gateway: Gateway = {
  ...createScriptedGateway(sampleNotification("minor-delay")),
  readStatus: (query) => {
    const [reference = ""] = query.gdsBookingReferences;
    const status = sampleNotification("minor-delay", { orderId: query.orderId, reference });
    return createScriptedGateway(status).readStatus(query);
  },
};

/** A minor delay of so many orders on the same flights: `<prefix>0`, `<prefix>1` … */
function notificationOf(prefix: string, count: number) {
  const body = sampleNotification("minor-delay");
  const [order] = body.OrderViewRS.Order;
  body.OrderViewRS.Order = Array.from({ length: count }, (_, index) => ({ ...order, OrderID: `${prefix}${index}` }));
  return body;
}

const minute = 60_000;

function handingOut() {
  const { notify, context } = createWorkerUnderTest(db.database, gateway);
  const next = async (limit: number): Promise<readonly string[]> => {
    const taken = await context.store.takeDueOrders(limit, minute);
    return taken.map(({ orderId }) => orderId);
  };
  return { notify, next, store: context.store };
}

describe("a notification of many orders", () => {
  test("lets an order go first that came after it in a notification of its own", async () => {
    const { store, notify, next } = handingOut();
    await notify(notificationOf("MANY", 300));
    await notify(notificationOf("SINGLE", 1));

    expect(await next(3)).toEqual(["SINGLE0", expect.stringMatching(/^MANY/), expect.stringMatching(/^MANY/)]);
    expect(await store.takeDueOrders(1_000, minute)).toHaveLength(298);
  });

  test.each([
    [10, /^FEW/],
    [11, /^SINGLE/],
  ])("names more than ten: after one of %i and a single one, %s is first", async (count, first) => {
    const { notify, next } = handingOut();
    await notify(notificationOf("FEW", count));
    await notify(notificationOf("SINGLE", 1));

    expect((await next(1))[0]).toMatch(first);
  });

  test("keeps back no order that is notified alone as well, before or after it", async () => {
    const { notify, next } = handingOut();
    await notify(notificationOf("MANY", 20));
    await notify(notificationOf("ALONE", 1));
    const [first, ...others] = notificationOf("MANY", 20).OrderViewRS.Order;
    const after = notificationOf("MANY", 20);
    after.OrderViewRS.Order = [{ ...first, OrderID: "ALONE0" }, ...others, { ...first, OrderID: "LAST" }];
    await notify(after);
    const alone = notificationOf("MANY", 1);
    alone.OrderViewRS.Order = [{ ...first, OrderID: "MANY7" }];
    await notify(alone);

    expect(new Set(await next(2))).toEqual(new Set(["ALONE0", "MANY7"]));
  });

  test.each([
    ["59 minutes", 59, "SINGLE0"],
    ["61 minutes", 61, "MANY"],
  ])("waits at most an hour for others: after %s", async (_, minutes, first) => {
    const { notify, next } = handingOut();
    await notify(notificationOf("MANY", 20));
    await db.database.pool.query("update skedchange.cases set due_at = due_at - $1 * interval '1 minute'", [minutes]);
    await notify(notificationOf("SINGLE", 1));

    expect((await next(1))[0]).toMatch(first);
  });

  test("lets others go first also when its cases are open and urgent, and the urgent ones of its own before the rest", async () => {
    const { notify, next } = handingOut();
    await notify(notificationOf("MANY", 20));
    await db.ownerDatabase.pool.query(
      "update skedchange.cases set due_at = null, priority = case order_id when 'MANY9' then 0 else 3 end",
    );
    const again = notificationOf("MANY", 21);
    await notify(again);
    await notify(notificationOf("SINGLE", 1));

    expect(await next(2)).toEqual(["SINGLE0", "MANY9"]);
  });

  test("that is repeated lets others go first as well", async () => {
    const { notify, next } = handingOut();
    await notify(notificationOf("MANY", 20));
    await db.ownerDatabase.pool.query("update skedchange.cases set due_at = null, priority = 3");
    await notify(notificationOf("MANY", 20));
    await db.ownerDatabase.pool.query("update skedchange.cases set due_at = now()");
    await notify(notificationOf("SINGLE", 1));

    expect(await next(1)).toEqual(["SINGLE0"]);
  });

  test("counts until its orders were looked at, not when a look fails, and no more for what is due after it", async () => {
    const worker = createWorkerUnderTest(db.database, {
      ...gateway,
      readStatus: (query) => {
        if (query.orderId === "MANY1") throw new ScriptedFailure("unknown", "scripted.broken");
        return gateway.readStatus(query);
      },
    });
    await worker.notify(notificationOf("MANY", 20));
    await worker.worker.workOn({ source: "default", orderId: "MANY0" });
    await worker.worker.workOn({ source: "default", orderId: "MANY1" });
    await db.database.pool.query(
      "update skedchange.cases set due_at = now(), priority = 5 where order_id in ('MANY0', 'MANY1')",
    );

    expect(await handingOut().next(1)).toEqual(["MANY0"]);
    const { rows } = await db.database.pool.query(
      "select order_id from skedchange.cases where wake = yielding_wake and order_id in ('MANY0', 'MANY1')",
    );
    expect(rows).toEqual([{ order_id: "MANY1" }]);
  });

  test("is opened and parsed once for all of them", async () => {
    let opened = 0;
    const { encryption } = db.database;
    const open: Encryption["open"] = async (row, place) => {
      opened += 1;
      return await encryption.open(row, place);
    };
    // Time stands still, since on a busy machine a status would grow too old to act on.
    const now = new Date();
    const worker = createWorkerUnderTest({ ...db.database, encryption: { ...encryption, open } }, gateway, {
      clock: { now: () => now },
    });
    await worker.notify(notificationOf("MANY", 20));

    const keys = await worker.worker.takeDue(64);
    await Promise.all(keys.map((key) => worker.worker.workOn(key)));

    expect(keys).toHaveLength(20);
    const { rows } = await db.database.pool.query(
      "select distinct c.state, d.itineraries -> 'proposed' is not null as assessed from skedchange.cases c join skedchange.decisions d on d.id = c.decision_id",
    );
    expect(rows).toEqual([{ state: "done", assessed: true }]);
    expect(opened).toBe(1);
  });
});
