import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { dialect } from "../../../src/connectors/document/dialect.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { runAlone } from "../../../src/store/database/job-lock.ts";
import { createReconciliationStore } from "../../../src/store/notifications/reconciliation.ts";
import { silentLogger } from "../../../src/telemetry/logger.ts";
import { type HandledInconsistency, reconcileTables } from "../../../src/worker/reconciliation.ts";
import { sampleNotification } from "../../builders/sample-notification.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { createScriptedGateway, type ScriptedGateway } from "../../harness/scripted-gateway.ts";
import { createWorkerUnderTest, type WorkerUnderTest } from "../../harness/worker.ts";

let db: TestDatabase;
/** The superuser, whom no trigger and no foreign key stops: what a restored backup or a hand may leave. */
let admin: pg.Client;
let orderNumber = 0;
let orderId: string;
let gateway: ScriptedGateway;
let worker: WorkerUnderTest;

beforeAll(async () => {
  db = await createTestDatabase();
  admin = new pg.Client({ connectionString: db.adminUrl });
  await admin.connect();
  await admin.query("set session_replication_role = replica");
});
afterAll(async () => {
  await admin.end();
  await db.drop();
});

beforeEach(() => {
  orderNumber += 1;
  orderId = `LOST${orderNumber}`;
});

function reconcile(options: { readonly repair: boolean } = { repair: true }) {
  const store = createReconciliationStore({ dialect, database: db.database, clock: systemClock });
  return reconcileTables({ store, logger: silentLogger }, options);
}

/** What a run finds wrong with the order of this test. */
async function inconsistencyOf(options?: { readonly repair: boolean }): Promise<readonly HandledInconsistency[]> {
  const { inconsistencies } = await reconcile(options);
  const { rows } = await admin.query<{ id: string }>(
    `select n.id from skedchange.notifications n
     join skedchange.case_notifications j on j.notification_id = n.id
     join skedchange.cases c on c.id = j.case_id where c.order_id = $1`,
    [orderId],
  );
  const own = new Set(rows.map(({ id }) => id));
  return inconsistencies.filter((one) => one.orderId === orderId || own.has(one.notificationId ?? ""));
}

const kindsOf = (inconsistencies: readonly HandledInconsistency[]) =>
  inconsistencies.map(({ kind, outcome }) => `${kind} ${outcome}`);

async function notify(sample: "minor-delay" | "misconnection" = "minor-delay"): Promise<void> {
  const body = sampleNotification(sample, { orderId, reference: `REF${orderNumber}` });
  gateway = createScriptedGateway(body);
  worker = createWorkerUnderTest(db.database, gateway);
  await worker.notify(body);
}

/** The order after its change has been accepted. */
async function carriedOut(): Promise<void> {
  await notify();
  await worker.work(orderId);
  expect((await worker.caseOf(orderId)).state).toBe("done");
}

/** The order with a person, who has been asked about its change. */
async function asked(): Promise<void> {
  await notify("misconnection");
  await worker.work(orderId);
  expect((await worker.caseOf(orderId)).state).toBe("awaiting-agent");
}

/** Plants damage in the rows of this order. `set` may name `$1`, the order. */
async function corruptCases(set: string): Promise<void> {
  await admin.query(`update skedchange.cases set ${set} where order_id = $1`, [orderId]);
}

async function repairsOf(): Promise<readonly unknown[]> {
  const { timeline } = await worker.caseOf(orderId);
  return timeline.filter(({ kind }) => kind === "case.repaired").map(({ actor, detail }) => ({ actor, detail }));
}

async function plantEffect(state: string, at: string): Promise<void> {
  await admin.query(
    `insert into skedchange.effects (id, case_id, decision_id, source, order_id, action, gds_booking_references,
       proposal_digest, state, lease_fence, planned_at, sent_at)
     select $2, c.id, c.decision_id, c.source, c.order_id, 'accept', '{REF}', c.proposal_digest, $3, 1,
       now() - $4::interval, case when $3 = 'planned' then null else now() - $4::interval end
     from skedchange.cases c where c.order_id = $1`,
    [orderId, randomUUID(), state, at],
  );
}

describe("reconciliation", () => {
  test("finds nothing wrong with orders that are waiting, being worked on, or done", async () => {
    await carriedOut();
    orderId = `${orderId}B`;
    await asked();
    orderId = `${orderId}C`;
    await notify();

    const report = await reconcile();

    expect(report).toMatchObject({
      acknowledged: { withoutCase: 0, withoutProgress: 0 },
      inconsistencies: [],
      counts: { found: 0, repaired: 0, "needs-person": 0 },
    });
    expect(report.acknowledged.examined).toBeGreaterThanOrEqual(3);
  });

  test("opens the case of a notification that has none, from its stored bytes", async () => {
    await notify();
    await admin.query(
      `delete from skedchange.case_notifications j using skedchange.cases c where c.id = j.case_id and c.order_id = $1`,
      [orderId],
    );
    await admin.query(
      `delete from skedchange.case_events e using skedchange.cases c where c.id = e.case_id and c.order_id = $1`,
      [orderId],
    );
    await admin.query("delete from skedchange.cases where order_id = $1", [orderId]);
    await admin.query("delete from skedchange.orders where order_id = $1", [orderId]);

    const dryRun = await reconcile({ repair: false });
    expect(dryRun.acknowledged.withoutCase).toBe(1);
    const found = await inconsistencyOf();

    expect(kindsOf(found)).toEqual(["notification.without-case repaired"]);
    expect(await repairsOf()).toMatchObject([{ actor: "reconciler" }]);
    await worker.work(orderId);
    expect((await worker.caseOf(orderId)).state).toBe("done");
    expect((await reconcile()).counts).toEqual({ found: 0, repaired: 0, "needs-person": 0 });
  });

  test("wakes the case of known bytes that have been pending for long, and leaves nothing pending", async () => {
    await asked();
    await admin.query(
      `update skedchange.notification_digests g
       set pending_orders = jsonb_build_array(jsonb_build_object('orderId', $1::text, 'gdsBookingReferences', '[]'::jsonb)),
         pending_since = now() - interval '11 seconds'
       from skedchange.case_notifications j join skedchange.cases c on c.id = j.case_id
       where j.notification_id = g.notification_id and c.order_id = $1`,
      [orderId],
    );

    expect(kindsOf(await inconsistencyOf())).toEqual(["notification.without-case repaired"]);

    expect((await worker.caseOf(orderId)).dueAt).not.toBeNull();
    expect((await reconcile()).counts).toEqual({ found: 0, repaired: 0, "needs-person": 0 });
    await worker.work(orderId);
    expect((await worker.caseOf(orderId)).state).toBe("awaiting-agent");
  });

  test("leaves a notification that cannot be opened to a person, and goes on with the rest", async () => {
    const id = randomUUID();
    await admin.query(
      `insert into skedchange.notifications
         (id, source, received_at, digest, body, body_encoding, body_bytes, state)
       values ($1, 'default', now(), sha256('x'), '\\x00', 'br', 1, 'accepted')`,
      [id],
    );
    await notify();
    await corruptCases("due_at = null");

    const { inconsistencies } = await reconcile();

    expect(inconsistencies).toContainEqual(expect.objectContaining({ notificationId: id, outcome: "needs-person" }));
    expect(kindsOf(inconsistencies.filter((one) => one.orderId === orderId))).toEqual([
      "case.without-progress repaired",
    ]);
    await admin.query("delete from skedchange.notifications where id = $1", [id]);
  });

  test("makes a case due that nobody would have looked at again, and the worker decides it", async () => {
    await notify();
    await corruptCases("due_at = null");

    expect(kindsOf(await inconsistencyOf())).toEqual(["case.without-progress repaired"]);

    expect(await repairsOf()).toEqual([{ actor: "reconciler", detail: { finding: "case.without-progress" } }]);
    await worker.work(orderId);
    expect(gateway.journal).toHaveLength(1);
    expect((await worker.caseOf(orderId)).state).toBe("done");
  });

  test("changes nothing in a dry run", async () => {
    await notify();
    await corruptCases("due_at = null");

    expect(kindsOf(await inconsistencyOf({ repair: false }))).toEqual(["case.without-progress found"]);

    expect((await worker.caseOf(orderId)).dueAt).toBeNull();
    expect(await repairsOf()).toEqual([]);
    await reconcile();
  });

  test("leaves to a person what comes back after a repair, instead of repairing it without end", async () => {
    await notify();
    await corruptCases("due_at = null");
    await reconcile();
    await corruptCases("due_at = null");

    expect(kindsOf(await inconsistencyOf())).toEqual(["case.without-progress needs-person"]);

    expect(await repairsOf()).toHaveLength(1);
    await corruptCases("due_at = now()");
  });

  test.each(["planned", "sent"])("has an effect that was left %s settled without sending it", async (state) => {
    await asked();
    await plantEffect(state, "11 minutes");
    await corruptCases("state = 'accepting', due_at = null");

    expect(kindsOf(await inconsistencyOf())).toEqual(["effect.without-outcome repaired"]);

    await worker.work(orderId);
    expect(gateway.journal).toEqual([]);
    const { effects } = await worker.caseOf(orderId);
    expect(effects[0]?.state).toBe(state === "planned" ? "failed" : "unknown");
  });

  test("lets an effect be that was sent nine minutes ago: it may still be under way", async () => {
    await asked();
    await plantEffect("sent", "9 minutes");
    await corruptCases("state = 'accepting', due_at = now() + interval '1 hour'");

    expect(kindsOf(await inconsistencyOf())).toEqual([]);

    await admin.query("update skedchange.effects set state = 'failed' where order_id = $1", [orderId]);
  });

  test("has somebody find out about an effect of which nobody knows what became", async () => {
    await asked();
    await plantEffect("unknown", "1 hour");
    await corruptCases("state = 'accepting', due_at = null");

    expect(kindsOf(await inconsistencyOf())).toEqual(["effect.unknown-unattended repaired"]);

    expect((await worker.caseOf(orderId)).dueAt).not.toBeNull();
  });

  test("has a decision carried out that was forgotten", async () => {
    await notify();
    await worker.work(orderId);
    gateway.journal.length = 0;
    await admin.query("delete from skedchange.effects where order_id = $1", [orderId]);
    await admin.query("update skedchange.orders set accepted_itinerary = null where order_id = $1", [orderId]);
    await corruptCases("state = 'awaiting-agent', due_at = null, closed_at = null");

    expect(kindsOf(await inconsistencyOf())).toEqual(["case.decision-not-carried-out repaired"]);
    expect(gateway.journal).toEqual([]);

    await worker.work(orderId);
    expect((await worker.caseOf(orderId)).dueAt).toBeNull();
  });

  test("has a case looked at again that is accepting without an effect", async () => {
    await asked();
    await corruptCases("state = 'accepting', due_at = null");

    expect(kindsOf(await inconsistencyOf())).toEqual(["case.without-effect repaired"]);

    await worker.makeDue(orderId);
    await worker.work(orderId);
    expect((await worker.caseOf(orderId)).state).toBe("awaiting-agent");
    expect(gateway.journal).toEqual([]);
  });

  test("has a case decided again that waits for an agent without a reason", async () => {
    await asked();
    await corruptCases("decision_id = null");

    expect(kindsOf(await inconsistencyOf())).toEqual(["case.without-decision repaired"]);

    await worker.work(orderId);
    expect((await worker.caseOf(orderId)).decision?.action).toBe("review");
  });

  test.each([
    ["14 minutes", []],
    ["16 minutes", ["case.due-long-ago repaired"]],
  ])("a case that has been due for %s: %j", async (age, expected) => {
    await notify();
    await corruptCases(`due_at = now() - interval '${age}'`);

    expect(kindsOf(await inconsistencyOf())).toEqual(expected);

    const left = (await worker.caseOf(orderId)).dueAt;
    expect(left?.getTime()).toBeLessThan(Date.now() - 13 * 60_000);
    await worker.work(orderId);
  });

  test("leaves a case that has been due for long to the worker that has it", async () => {
    await notify();
    await corruptCases("due_at = now() - interval '1 hour'");
    await admin.query("update skedchange.orders set leased_until = now() + interval '5 seconds' where order_id = $1", [
      orderId,
    ]);

    expect(kindsOf(await inconsistencyOf())).toEqual([]);

    await corruptCases("due_at = now()");
  });

  test("frees an order from a lease that would last for an hour, and fences its holder off", async () => {
    await notify();
    await admin.query(
      `update skedchange.orders set leased_until = now() + interval '1 hour', leased_by = 'nobody:1', lease_fence = 7
       where order_id = $1`,
      [orderId],
    );

    expect(kindsOf(await inconsistencyOf())).toEqual(["order.lease-left repaired"]);

    await worker.work(orderId);
    expect((await worker.caseOf(orderId)).state).toBe("done");
    const stale = { source: "default", orderId, fence: 7 };
    await expect(worker.context.store.load(stale)).rejects.toMatchObject({ code: "desk.lease_lost" });
  });

  test("lets a lease be that ran out long ago, as it keeps nobody from the order", async () => {
    await notify();
    await admin.query(
      `update skedchange.orders set leased_until = now() - interval '1 day', leased_by = 'nobody:1', lease_fence = 7
       where order_id = $1`,
      [orderId],
    );

    expect(kindsOf(await inconsistencyOf())).toEqual([]);

    await worker.work(orderId);
    expect((await worker.caseOf(orderId)).state).toBe("done");
  });

  test("hands an order out again whose job was lost together with the queue", async () => {
    await notify();
    await admin.query("update skedchange.orders set dispatched_until = now() + interval '1 day' where order_id = $1", [
      orderId,
    ]);
    const taken = async () => (await worker.worker.takeDue(100)).map((key) => key.orderId);
    expect(await taken()).not.toContain(orderId);

    expect(kindsOf(await inconsistencyOf())).toEqual(["order.dispatch-left repaired"]);

    expect(await taken()).toContain(orderId);
  });

  test("reports a case that is done although nothing succeeded", async () => {
    await carriedOut();
    await admin.query("delete from skedchange.effects where order_id = $1", [orderId]);

    expect(kindsOf(await inconsistencyOf())).toEqual(["case.done-without-success needs-person"]);
    await corruptCases("state = 'closed'");
  });

  test("reports a finished case without a decision", async () => {
    await carriedOut();
    await corruptCases("decision_id = null");

    expect(kindsOf(await inconsistencyOf())).toEqual(["case.finished-without-decision needs-person"]);
    await corruptCases("state = 'awaiting-agent', due_at = now() + interval '1 day'");
  });

  test("reports an effect that may still happen though its case is finished", async () => {
    await carriedOut();
    await plantEffect("unknown", "11 minutes");

    expect(kindsOf(await inconsistencyOf())).toEqual(["effect.on-finished-case needs-person"]);
    await admin.query("update skedchange.effects set state = 'failed' where order_id = $1 and state = 'unknown'", [
      orderId,
    ]);
  });

  test.each([
    ["open for 13 days with no due time", "13 days", null, []],
    ["open for 15 days with no due time", "15 days", null, ["task.forgotten needs-person"]],
    ["open for 15 days and due in half a year", "15 days", "180 days", []],
    ["due 23 hours ago", "9 days", "-23 hours", []],
    ["due 25 hours ago", "9 days", "-25 hours", ["task.forgotten needs-person"]],
    ["due when it was opened 23 hours ago already", "23 hours", "-3 days", []],
  ])("a task that is %s", async (_, age, dueIn, expected) => {
    await carriedOut();
    await admin.query("delete from skedchange.tasks where order_id = $1", [orderId]);
    await admin.query(
      `insert into skedchange.tasks (id, case_id, source, order_id, kind, reasons, opened_at, due_by, due_by_rule)
       select $2, c.id, c.source, c.order_id, 'check-ticket', '[]', now() - $3::interval, now() + $4::interval,
         case when $4::interval is not null then 'departure-24h' end
       from skedchange.cases c where c.order_id = $1`,
      [orderId, randomUUID(), age, dueIn],
    );

    expect(kindsOf(await inconsistencyOf())).toEqual(expected);
    await admin.query("delete from skedchange.tasks where order_id = $1", [orderId]);
  });

  test("runs in one process at a time", async () => {
    const inside = await runAlone(db.database, "reconciliation", async () => ({
      second: await runAlone(db.database, "reconciliation", reconcile),
    }));

    expect(inside).toEqual({ second: null });
    expect(await runAlone(db.database, "reconciliation", reconcile)).not.toBeNull();
  });
});
