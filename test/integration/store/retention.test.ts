import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { dialect } from "../../../src/connectors/document/dialect.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { appendToAuditChain } from "../../../src/store/audit/append-to-audit-chain.ts";
import { verifyAudit } from "../../../src/store/audit/audit-verification.ts";
import { createStoredBodies } from "../../../src/store/cases/stored-bodies.ts";
import { createReconciliationStore } from "../../../src/store/notifications/reconciliation.ts";
import { previewRetention } from "../../../src/store/retention/preview-retention.ts";
import { createRetention } from "../../../src/store/retention/retention.ts";
import { type RetentionPeriods, storeRetentionPeriods } from "../../../src/store/retention/retention-periods.ts";
import { silentLogger } from "../../../src/telemetry/logger.ts";
import { reconcileTables } from "../../../src/worker/reconciliation.ts";
import { type OrderViewBody, sampleNotification } from "../../builders/sample-notification.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { createScriptedGateway, type ScriptedGateway } from "../../harness/scripted-gateway.ts";
import { createWorkerUnderTest, type WorkerUnderTest } from "../../harness/worker.ts";

const dayMs = 24 * 3_600_000;

let db: TestDatabase;
let orderNumber = 0;
let orderId: string;
let body: OrderViewBody;
let gateway: ScriptedGateway;
let worker: WorkerUnderTest;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

beforeEach(async () => {
  // Lines that are deleted leave their entries in the audit, those of a table that is truncated do not.
  await db.ownerDatabase.pool.query(
    "delete from skedchange.case_events; truncate skedchange.orders, skedchange.cases, skedchange.notifications, skedchange.notification_digests, skedchange.event_recipients cascade",
  );
  orderNumber += 1;
  orderId = `OLD${orderNumber}`;
  await storePeriods({ bodiesDays: 1, casesDays: 1 });
});

const storePeriods = (periods: RetentionPeriods) => storeRetentionPeriods(db.ownerDatabase, periods);

const ago = (days: number): Date => new Date(Date.now() - days * dayMs);
const retention = () => createRetention(db.database);

async function rowsOf<Row extends object>(query: string, ...values: unknown[]): Promise<readonly Row[]> {
  return (await db.ownerDatabase.pool.query<Row>(query, values)).rows;
}

async function notify(sample: "minor-delay" | "misconnection" = "minor-delay"): Promise<void> {
  body = sampleNotification(sample, { orderId, reference: `REF${orderNumber}` });
  gateway = createScriptedGateway(body);
  worker = createWorkerUnderTest(db.database, gateway);
  await worker.notify(body);
}

/** An order whose change was accepted `days` ago, for flights that departed just before, with its tasks done. */
async function doneAgo(days: number): Promise<void> {
  await notify();
  await worker.work(orderId);
  expect((await worker.caseOf(orderId)).state).toBe("done");
  await age(ago(days));
}

async function age(at: Date): Promise<void> {
  await rowsOf(
    `update skedchange.cases set opened_at = $2::timestamptz, updated_at = $2::timestamptz, closed_at = case when closed_at is not null then $2::timestamptz end,
       departure_at = $2::timestamptz
     where order_id = $1`,
    orderId,
    at,
  );
  await pastTriggers(
    `update skedchange.case_notifications j set joined_at = $2 from skedchange.cases c where c.id = j.case_id and c.order_id = $1`,
    orderId,
    at,
  );
  await pastTriggers(
    `update skedchange.decisions d set decided_at = $2 from skedchange.cases c where c.id = d.case_id and c.order_id = $1`,
    orderId,
    at,
  );
  await pastTriggers(
    "update skedchange.tasks set closed_at = $2::timestamptz, closed_by = 'person:mlopez' where order_id = $1",
    orderId,
    at,
  );
}

async function bodiesLeft(): Promise<Record<string, number>> {
  const [row] = await rowsOf<Record<string, number>>(
    `select (select count(*) from skedchange.notifications where length(body) > 0)::int as notifications,
       (select count(*) from skedchange.status_views where length(body) > 0)::int as statuses,
       (select count(*) from skedchange.document_views)::int as documents,
       (select count(*) from skedchange.effects where answer is not null)::int as responses`,
  );
  return row!;
}

const nothingLeft = { notifications: 0, statuses: 0, documents: 0, responses: 0 };
const everythingLeft = { notifications: 1, statuses: 2, documents: 1, responses: 1 };

function reconcile() {
  const store = createReconciliationStore({ dialect, database: db.database, clock: systemClock });
  return reconcileTables({ store, logger: silentLogger }, { repair: false });
}

describe("deleting bodies by age", () => {
  test("empties the bodies of an order that was over before, and leaves rows, digests and states", async () => {
    await doneAgo(30);
    expect(await bodiesLeft()).toEqual(everythingLeft);
    const before = await rowsOf("select id, source, received_at, digest, body_bytes from skedchange.notifications");

    const deleted = await retention().deleteBodies(ago(29), 10);

    expect(deleted).toMatchObject({
      casesWithoutBodies: 1,
      notificationBodies: 1,
      statusViews: 2,
      documentViews: 1,
      responses: 1,
    });
    expect(await bodiesLeft()).toEqual(nothingLeft);
    expect(await rowsOf("select id, source, received_at, digest, body_bytes from skedchange.notifications")).toEqual(
      before,
    );
    expect((await worker.caseOf(orderId)).state).toBe("done");
    expect(await retention().deleteBodies(ago(29), 10)).toMatchObject({ casesWithoutBodies: 0 });
  });

  test("leaves an order that was over on the very moment of the limit, and takes it a millisecond later", async () => {
    const ended = ago(30);
    await doneAgo(30);
    await age(ended);

    expect(await retention().deleteBodies(ended, 10)).toMatchObject({ casesWithoutBodies: 0 });
    expect(await retention().deleteBodies(new Date(ended.getTime() + 1), 10)).toMatchObject({ casesWithoutBodies: 1 });
  });

  test("deletes what people wrote on the case, and the timeline keeps its ids and codes", async () => {
    await doneAgo(30);
    const { id } = await worker.caseOf(orderId);
    await rowsOf(
      `insert into skedchange.case_events (case_id, at, kind, actor, detail)
       values ($1, now(), 'case.noted', 'person:mlopez', '{"note": "Mrs Marker called", "receipts": 2}')`,
      id,
    );
    await rowsOf(
      `insert into skedchange.traveller_contacts
         (id, case_id, source, order_id, kind, channel, happened_at, recorded_at, recorded_by, note)
       values (gen_random_uuid(), $1, 'default', $2, 'informed', 'phone', now(), now(), 'person:mlopez', 'Mrs Marker')`,
      id,
      orderId,
    );
    await pastTriggers("update skedchange.tasks set note = 'Mrs Marker' where order_id = $1", orderId);
    await pastTriggers(
      `update skedchange.effects set error = '{"code": "x", "message": "Mrs Marker"}',
         results = '[{"status": "FAILED", "errorMessage": "Mrs Marker", "refundAmount": "1.00", "refundText": "Mrs Marker"}]'`,
    );
    await rowsOf("update skedchange.decisions set note = 'Mrs Marker' where case_id = $1", id);
    await age(ago(30));

    expect(await retention().deleteBodies(ago(29), 10)).toMatchObject({ notes: 3, timelineTexts: 1 });

    const detail = await worker.caseOf(orderId);
    expect(JSON.stringify(detail)).not.toContain("Marker");
    expect(detail.effects).toMatchObject([
      {
        error: { code: "x", message: "" },
        results: [{ status: "FAILED", errorMessage: "", refundAmount: "1.00", refundText: null }],
      },
    ]);
    expect(detail.travellerContacts).toMatchObject([{ kind: "informed", channel: "phone", note: null }]);
    expect(detail.timeline.find(({ kind }) => kind === "case.noted")?.detail).toEqual({ receipts: 2 });
    expect(detail.timeline.at(-1)).toMatchObject({ kind: "case.bodies_deleted", actor: "retention" });
  });

  test("keeps reconciliation and the audit whole", async () => {
    await doneAgo(30);
    await rowsOf(
      `insert into skedchange.case_events (case_id, at, kind, actor, detail)
       select id, now(), 'case.noted', 'person:mlopez', '{"note": "called"}' from skedchange.cases`,
    );
    await age(ago(30));
    while ((await appendToAuditChain(db.database, 1_000)) > 0);
    const { eventsGone } = await verifyAudit(db.database);

    await retention().deleteBodies(ago(29), 10);
    while ((await appendToAuditChain(db.database, 1_000)) > 0);

    expect(await verifyAudit(db.database)).toMatchObject({ broken: null, eventsGone, eventsCut: 1 });
    expect(await reconcile()).toMatchObject({
      acknowledged: { examined: 1, withoutCase: 0, withoutProgress: 0 },
      inconsistencies: [],
    });
  });

  test("a line whose texts were deleted cannot hold other texts without the audit noticing", async () => {
    await doneAgo(30);
    while ((await appendToAuditChain(db.database, 1_000)) > 0);
    await retention().deleteBodies(ago(29), 10);
    while ((await appendToAuditChain(db.database, 1_000)) > 0);
    await rowsOf(
      `update skedchange.case_events set texts_deleted_at = now(), detail = '{"note": "he agreed"}'
       where kind = 'case.done'`,
    );

    expect(await verifyAudit(db.database)).toMatchObject({ broken: { code: "audit.event_differs" } });
    await rowsOf("delete from skedchange.case_events");
  });

  test("the API says that a body was deleted, when and why", async () => {
    await doneAgo(30);
    await retention().deleteBodies(ago(29), 10);
    const stored = createStoredBodies(db.database);
    const { id, notifications } = await worker.caseOf(orderId);

    const deleted = { at: expect.any(Date), by: "retention" };
    expect(notifications).toMatchObject([{ bodyDeleted: deleted }]);
    expect(await stored.readNotificationBody(notifications[0]!.id, null)).toEqual({ deleted });
    const calls = (await stored.listCalls(id, null))!;
    expect(calls.map(({ bodyDeleted }) => bodyDeleted)).toEqual([deleted, deleted, deleted]);
    for (const call of calls) expect(await stored.readCallBody(id, call.id, null)).toEqual({ deleted });
  });

  test("the same bytes that come again are worked on as before", async () => {
    await doneAgo(30);
    await retention().deleteBodies(ago(29), 10);

    expect(await worker.notify(body)).toBe(2);
    await worker.makeDue(orderId);
    await worker.work(orderId);

    expect((await worker.casesOf(orderId)).map(({ state }) => state)).not.toContain("checking");
    expect(await rowsOf("select 1 from skedchange.cases where due_at <= now() or last_error is not null")).toEqual([]);
  });

  test("the status that was read after that goes as well, once it is as old", async () => {
    await doneAgo(30);
    await retention().deleteBodies(ago(29), 10);
    const { id } = await worker.caseOf(orderId);
    await rowsOf(
      `insert into skedchange.status_views (id, case_id, purpose, read_at, body, body_encoding, body_bytes)
       values (gen_random_uuid(), $1, 'decide', now(), 'x', 'identity', 1)`,
      id,
    );
    await rowsOf("update skedchange.cases set bodies_deleted_at = $1, updated_at = $2", ago(20), ago(10));

    expect(await retention().deleteBodies(ago(11), 10)).toMatchObject({ casesWithoutBodies: 0 });
    expect(await retention().deleteBodies(ago(9), 10)).toMatchObject({ casesWithoutBodies: 1, statusViews: 1 });
  });

  test("never takes anything of an order with an open case", async () => {
    await notify("misconnection");
    await worker.work(orderId);
    expect((await worker.caseOf(orderId)).state).toBe("awaiting-agent");
    await age(ago(300));

    expect(await retention().deleteBodies(ago(2), 10)).toMatchObject({ casesWithoutBodies: 0 });
    expect(await bodiesLeft()).toMatchObject({ notifications: 1, statuses: 1 });
  });

  test("nor of an order whose earlier case has ended while a later one is open", async () => {
    await doneAgo(300);
    await rowsOf(
      `insert into skedchange.cases (id, source, order_id, state, opened_at, updated_at)
       values (gen_random_uuid(), 'default', $1, 'received', $2::timestamptz, $2::timestamptz)`,
      orderId,
      ago(300),
    );

    expect(await retention().deleteBodies(ago(2), 10)).toMatchObject({ casesWithoutBodies: 0 });
    expect(await bodiesLeft()).toEqual(everythingLeft);
  });

  test.each([
    ["an open task", "update skedchange.tasks set closed_at = null, closed_by = null"],
    ["a live effect", "update skedchange.effects set state = 'unknown'"],
    ["a case that is due once more", "update skedchange.cases set due_at = now() + interval '1 day'"],
    ["a worker at its order", "update skedchange.orders set leased_until = now() + interval '10 seconds'"],
    [
      "a notification that is pending",
      "update skedchange.notification_digests set pending_since = now(), pending_orders = '[]'",
    ],
  ])("never takes anything of an order with %s", async (_what, plant) => {
    await doneAgo(300);
    await pastTriggers(plant);

    expect(await retention().deleteBodies(ago(2), 10)).toMatchObject({ casesWithoutBodies: 0 });
    expect(await retention().deleteCases(ago(2), 10)).toEqual({ cases: 0 });
    expect(await bodiesLeft()).toEqual(everythingLeft);
  });

  test("never takes what is quarantined", async () => {
    await notify();
    await worker.notify("{not json");

    expect(await retention().deleteBodies(ago(2), 10)).toMatchObject({ casesWithoutBodies: 0 });
    expect(
      await rowsOf("select 1 from skedchange.notifications where state = 'quarantined' and length(body) > 0"),
    ).toHaveLength(1);
  });

  test("leaves the body of a notification that another order still needs, and takes it with that one", async () => {
    await doneAgo(30);
    const [shared] = await rowsOf<{ id: string; received_at: Date }>(
      "select id, received_at from skedchange.notifications",
    );
    const first = orderId;
    orderId = `${orderId}B`;
    await notify("misconnection");
    await worker.work(orderId);
    await rowsOf(
      `insert into skedchange.case_notifications (case_id, notification_id, notification_received_at, joined_at)
       select id, $2, $3, now() from skedchange.cases where order_id = $1`,
      orderId,
      shared!.id,
      shared!.received_at,
    );
    const isThere = async (): Promise<boolean> =>
      (await rowsOf("select 1 from skedchange.notifications where id = $1 and length(body) > 0", shared!.id)).length ===
      1;

    expect(await retention().deleteBodies(ago(29), 10)).toMatchObject({ casesWithoutBodies: 1, notificationBodies: 0 });
    expect(await isThere()).toBe(true);
    await pastTriggers("update skedchange.cases set state = 'closed', closed_at = now(), due_at = null");
    await age(ago(30));
    expect(await retention().deleteBodies(ago(29), 10)).toMatchObject({ casesWithoutBodies: 1, notificationBodies: 2 });
    expect(await isThere()).toBe(false);
    expect(first).not.toBe(orderId);
  });

  test("takes status views of polls that are old, unless a case is open", async () => {
    await doneAgo(300);
    const insertPolled = (readAt: Date) =>
      rowsOf(
        `insert into skedchange.order_status_views (id, source, order_id, read_at, proposal_digest, body, body_encoding, body_bytes)
         values (gen_random_uuid(), 'default', $1, $2, 'd', 'x', 'identity', 1)`,
        orderId,
        readAt,
      );
    await insertPolled(ago(30));
    await insertPolled(ago(20));

    expect(await retention().deleteBodies(ago(25), 10)).toMatchObject({ polledStatusViews: 1 });
    await pastTriggers("update skedchange.cases set state = 'awaiting-agent'");
    expect(await retention().deleteBodies(ago(2), 10)).toMatchObject({ polledStatusViews: 0 });
  });
});

describe("deleting finished cases by age", () => {
  const tables = [
    "orders",
    "cases",
    "case_events",
    "case_notifications",
    "decisions",
    "effects",
    "status_views",
    "document_views",
    "notifications",
    "notification_digests",
    "tasks",
    "event_bodies",
  ];

  async function filledTables(): Promise<readonly string[]> {
    const filled = await Promise.all(
      tables.map(async (name) => ((await rowsOf(`select 1 from skedchange.${name} limit 1`)).length > 0 ? name : null)),
    );
    return filled.filter((name) => name !== null);
  }

  test("deletes everything that belongs to the order, and the audit says so and stays whole", async () => {
    await listenForEvents();
    await doneAgo(30);
    await rowsOf("update skedchange.event_bodies set routed_at = now()");
    expect(await filledTables()).toEqual(tables);
    const { id } = await worker.caseOf(orderId);
    while ((await appendToAuditChain(db.database, 1_000)) > 0);

    expect(await retention().deleteCases(ago(29), 10)).toMatchObject({ cases: 1, effects: 1, notifications: 1 });

    expect(await filledTables()).toEqual([]);
    while ((await appendToAuditChain(db.database, 1_000)) > 0);
    expect(await verifyAudit(db.database)).toMatchObject({ broken: null });
    expect(
      await rowsOf(
        "select actor, order_id, refs from skedchange.audit_entries where kind = 'case.deleted' and case_id = $1",
        id,
      ),
    ).toEqual([{ actor: "retention", order_id: orderId, refs: { state: "done" } }]);
    expect(await reconcile()).toMatchObject({ acknowledged: { examined: 0, withoutCase: 0 }, inconsistencies: [] });
  });

  test("the same bytes that come later open a case again", async () => {
    await doneAgo(30);
    await retention().deleteCases(ago(29), 10);

    expect(await worker.notify(body)).toBe(1);

    expect((await worker.caseOf(orderId)).state).toBe("received");
  });

  test("waits until the flights have departed", async () => {
    await doneAgo(30);
    await rowsOf("update skedchange.cases set departure_at = $1", ago(28));

    expect(await retention().deleteCases(ago(29), 10)).toEqual({ cases: 0 });
    expect(await retention().deleteCases(ago(27), 10)).toMatchObject({ cases: 1 });
  });

  test("waits until nobody polls the order any more", async () => {
    await doneAgo(30);
    await rowsOf("update skedchange.orders set next_poll_at = now()");

    expect(await retention().deleteCases(ago(29), 10)).toEqual({ cases: 0 });
  });

  test("waits until the agency's own systems have been informed", async () => {
    await listenForEvents();
    await doneAgo(30);
    expect(await filledTables()).toContain("event_bodies");

    expect(await retention().deleteCases(ago(29), 10)).toEqual({ cases: 0 });
  });

  test("leaves a notification that another order has a case of", async () => {
    await doneAgo(30);
    const [shared] = await rowsOf<{ id: string; received_at: Date }>(
      "select id, received_at from skedchange.notifications",
    );
    orderId = `${orderId}B`;
    await notify();
    await rowsOf(
      `insert into skedchange.case_notifications (case_id, notification_id, notification_received_at, joined_at)
       select id, $2, $3, now() from skedchange.cases where order_id = $1`,
      orderId,
      shared!.id,
      shared!.received_at,
    );

    expect(await retention().deleteCases(ago(29), 10)).toMatchObject({ cases: 1, notifications: 0 });
    expect(await rowsOf("select 1 from skedchange.notifications where id = $1", shared!.id)).toHaveLength(1);
  });

  test("takes as many orders at once as asked for", async () => {
    for (let number = 0; number < 3; number++) {
      orderId = `MANY${orderNumber}-${number}`;
      await doneAgo(30);
    }

    expect(await retention().deleteCases(ago(29), 2)).toMatchObject({ cases: 2 });
    expect(await retention().deleteCases(ago(29), 2)).toMatchObject({ cases: 1 });
  });
});

describe("the stored periods", () => {
  test.each(["delete_expired_bodies", "delete_expired_cases"])(
    "while retention is off, %s refuses to delete anything, whatever the service role asks for",
    async (name) => {
      await doneAgo(3_000);
      await storePeriods({ bodiesDays: 0, casesDays: 0 });

      for (const before of [ago(2_000), "-infinity", "infinity", null]) {
        await expect(db.database.pool.query(`select skedchange.${name}($1, 10)`, [before])).rejects.toMatchObject({
          code: "23514",
          constraint: "retention_periods_are_stored",
        });
      }
      expect(await bodiesLeft()).toEqual(everythingLeft);
    },
  );

  test("are not there in a new database, and nothing is deleted until they are", async () => {
    const fresh = await createTestDatabase();
    try {
      await expect(createRetention(fresh.database).deleteCases(ago(2_000), 10)).rejects.toMatchObject({
        constraint: "retention_periods_are_stored",
      });
    } finally {
      await fresh.drop();
    }
  });

  test.each(["delete_expired_bodies", "delete_expired_cases"])(
    "with 30 days, %s takes nothing younger, whatever the service role asks for",
    async (name) => {
      await storePeriods({ bodiesDays: 30, casesDays: 30 });
      await doneAgo(30 - 1 / 24);

      for (const before of [ago(0), "infinity", null]) {
        await db.database.pool.query(`select skedchange.${name}($1, 10)`, [before]);
      }
      expect(await bodiesLeft()).toEqual(everythingLeft);

      await age(ago(30 + 1 / 24));
      await db.database.pool.query(`select skedchange.${name}($1, 10)`, [ago(0)]);
      expect(await bodiesLeft()).toEqual(nothingLeft);
    },
  );

  test("leave what the caller wants to be kept for longer", async () => {
    await storePeriods({ bodiesDays: 30, casesDays: 30 });
    await doneAgo(50);

    expect(await retention().deleteBodies(ago(60), 10)).toMatchObject({ casesWithoutBodies: 0 });
    expect(await retention().deleteCases(ago(60), 10)).toEqual({ cases: 0 });
  });

  test("of bodies and of cases count each for itself", async () => {
    await storePeriods({ bodiesDays: 30, casesDays: 0 });
    await doneAgo(50);

    await expect(retention().deleteCases(ago(40), 10)).rejects.toMatchObject({
      constraint: "retention_periods_are_stored",
    });
    expect(await retention().deleteBodies(ago(40), 10)).toMatchObject({ casesWithoutBodies: 1 });
  });

  test.each([
    ["the newest decision", "update skedchange.decisions set decided_at = $1"],
    ["the newest notification", "update skedchange.case_notifications set joined_at = $1"],
    ["the opening of the case", "update skedchange.cases set opened_at = $1"],
  ])("count from %s, if the service role makes a case look older", async (_what, happened) => {
    await storePeriods({ bodiesDays: 30, casesDays: 30 });
    await doneAgo(40);
    await pastTriggers(happened, ago(29));
    await db.database.pool.query(
      "update skedchange.cases set updated_at = $1, closed_at = $1, departure_at = $1, due_at = null",
      [ago(3_000)],
    );

    expect(await retention().deleteBodies(ago(0), 10)).toMatchObject({ casesWithoutBodies: 0 });
    expect(await retention().deleteCases(ago(0), 10)).toEqual({ cases: 0 });

    await pastTriggers(happened, ago(31));
    expect(await retention().deleteCases(ago(0), 10)).toMatchObject({ cases: 1 });
  });

  test.each([
    "update skedchange.retention_periods set bodies_days = 1",
    "insert into skedchange.retention_periods (bodies_days, cases_days) values (1, 1)",
    "delete from skedchange.retention_periods",
    "truncate skedchange.retention_periods",
  ])("cannot be changed by the service role: %s", async (statement) => {
    await expect(db.database.pool.query(statement)).rejects.toMatchObject({ code: "42501" });
  });
});

describe("the rights of the service role", () => {
  test("pretending to be retention does not let the service role rewrite what has ended", async () => {
    await doneAgo(30);
    const client = await db.database.pool.connect();
    try {
      await client.query("begin");
      await client.query("select set_config('skedchange.deleting', 'on', true)");
      await expect(client.query("update skedchange.effects set results = '[]'")).rejects.toMatchObject({
        constraint: "effects_stay_ended",
      });
    } finally {
      await client.query("rollback");
      client.release();
    }
  });

  test("it may not call the functions that delete without a limit", async () => {
    await expect(db.database.pool.query("select skedchange.delete_cases_of('default', 'X')")).rejects.toMatchObject({
      code: "42501",
    });
    await expect(
      db.database.pool.query("select skedchange.delete_case_bodies(gen_random_uuid(), now(), 'retention', 'x')"),
    ).rejects.toMatchObject({ code: "42501" });
  });
});

describe("the preview", () => {
  test("counts exactly what a run then deletes, and shows the oldest that stays", async () => {
    await doneAgo(30);
    const older = orderId;
    orderId = `${orderId}B`;
    await doneAgo(10);
    const periods = { bodiesBefore: ago(20), casesBefore: ago(20) };

    const preview = await previewRetention(db.database, periods);

    const count = (what: string) => preview.find((row) => row.what === what)?.goes;
    expect(await previewRetention(db.database, { bodiesBefore: null, casesBefore: null })).toEqual([]);
    expect(preview.find(({ what }) => what === "cases")).toEqual({
      what: "cases",
      goes: 1,
      oldestThatStays: expect.any(Date),
    });
    const bodies = await retention().deleteBodies(periods.bodiesBefore, 10);
    const cases = await retention().deleteCases(periods.casesBefore, 10);
    expect({
      notificationBodies: count("bodies of notifications"),
      statusViews: count("status views"),
      documentViews: count("documents"),
      responses: count("gateway responses"),
      timelineTexts: count("texts of timelines"),
    }).toEqual({
      notificationBodies: bodies["notificationBodies"],
      statusViews: bodies["statusViews"],
      documentViews: bodies["documentViews"],
      responses: bodies["responses"],
      timelineTexts: bodies["timelineTexts"],
    });
    expect({ cases: count("cases"), notifications: count("notifications and their receipts") }).toEqual({
      cases: cases["cases"],
      notifications: cases["notifications"],
    });
    expect(older).not.toBe(orderId);
  });
});

async function listenForEvents(): Promise<void> {
  await rowsOf(
    `insert into skedchange.event_recipients (id, name, url, auth_type, credential, credential_encoding, state,
       state_changed_at, created_at, updated_at, signing_secrets, signing_secrets_encoding, signing_secret_count)
     values (gen_random_uuid(), 'r', 'https://example.com', 'none', '', 'identity', 'active', now(), now(), now(), 's',
       'identity', 1)`,
  );
}

/** As no transaction of ours can. */
async function pastTriggers(statement: string, ...values: unknown[]): Promise<void> {
  const admin = new pg.Client({ connectionString: db.adminUrl });
  await admin.connect();
  try {
    await admin.query("set session_replication_role = replica");
    await admin.query(statement, values);
  } finally {
    await admin.end();
  }
}
