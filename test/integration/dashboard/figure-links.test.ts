import { afterAll, beforeAll, expect, test } from "vitest";
import { dialect } from "../../../src/connectors/document/dialect.ts";
import { selectionOf } from "../../../src/dashboard/api/case-selection.ts";
import { caseFilter } from "../../../src/dashboard/case-filter-ports.ts";
import { readOverview } from "../../../src/dashboard/overview.ts";
import { openWorkFilters, openWorkHref, rangeHref } from "../../../src/dashboard/web/overview/figure-links.ts";
import { selectionOf as bodyOf, queryOf, readFilters } from "../../../src/dashboard/web/queue/queue-filters.ts";
import { createCaseQueries } from "../../../src/store/cases/case-queries.ts";
import { sql } from "../../../src/store/database/sql.ts";
import { createOverviewQueries } from "../../../src/store/overview/overview-queries.ts";
import { insertContact } from "../../builders/case-rows.ts";
import { sampleNotification } from "../../builders/sample-notification.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { createScriptedGateway } from "../../harness/scripted-gateway.ts";
import { createWorkerUnderTest } from "../../harness/worker.ts";

let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
  for (const orderId of ["OPEN1", "OPEN2", "SNOOZED", "LATE", "DONE", "UNREAD", "ASK", "ASKED", "PENDING"]) {
    const body = sampleNotification("flight-number-only", { orderId });
    const worker = createWorkerUnderTest(db.database, createScriptedGateway(body));
    await worker.notify(body);
    if (orderId !== "UNREAD") await worker.work(orderId);
  }
  const set = (orderId: string, change: ReturnType<typeof sql>) =>
    sql`update skedchange.cases set ${change} where order_id = ${orderId}`.execute(db.ownerDatabase.connection);
  await set("SNOOZED", sql`state = 'snoozed', review_queue = null`);
  await set("ASK", sql`state = 'checking'`);
  await set("ASK", sql`state = 'ask-traveller'`);
  const { rows } = await db.ownerDatabase.pool.query<{ id: string }>(
    "select id from skedchange.cases where order_id = 'ASKED'",
  );
  await insertContact(db.ownerDatabase.connection, rows[0]!.id, "asked");
  await set("ASKED", sql`state = 'awaiting-traveller', review_queue = null`);
  await set("PENDING", sql`state = 'checking', review_queue = null, undo_until = now() + interval '1 hour'`);
  await sql`
    update skedchange.decisions d set action = 'accept' from skedchange.cases c
    where c.decision_id = d.id and c.order_id = 'PENDING'`.execute(db.ownerDatabase.connection);
  await set("LATE", sql`due_by = now() - interval '1 hour', due_by_rule = 'agency'`);
  await set("DONE", sql`state = 'closed', review_queue = null, closed_at = now()`);
  await sql`
    insert into skedchange.tasks (id, case_id, source, order_id, kind, reasons, opened_at)
    select gen_random_uuid(), id, source, order_id, 'inform-traveller', '[]', now()
    from skedchange.cases where order_id = 'DONE'`.execute(db.ownerDatabase.connection);
});
afterAll(() => db.drop());

/** How many cases the queue shows at an address. */
async function countAt(href: string): Promise<number> {
  const filters = readFilters(new URL(href, "http://dashboard").searchParams);
  const selection = selectionOf(caseFilter.parse(bodyOf(filters)), {
    sources: null,
    actor: "person:a",
    tokenId: null,
    role: "agent",
  });
  const page = { order: queryOf(filters).order, after: null, limit: 50 };
  const { total } = await createCaseQueries(db.database, dialect).searchCases({ ...selection, ...page });
  return total!.count;
}

test("each figure of open work opens a list of just as many cases", async () => {
  const queries = createOverviewQueries(db.database);
  const now = new Date();
  const range = { from: new Date(now.getTime() - 3_600_000), to: now };
  const { now: work } = await readOverview(queries, { visible: null, source: null, ...range }, "UTC", now);

  expect(work.open).toBe(8);
  expect(await countAt(openWorkHref({}, ""))).toBe(work.open);
  expect(work.overdue).toBe(1);
  expect(await countAt(openWorkHref(openWorkFilters.overdue, ""))).toBe(work.overdue);
  expect(await countAt(openWorkHref(openWorkFilters.effectsFailed, ""))).toBe(work.effectsFailed);
  for (const name of ["askTraveller", "travellerAsked", "travellersToInform", "effectsPending"] as const) {
    expect([name, work[name]]).toEqual([name, 1]);
    expect(await countAt(openWorkHref(openWorkFilters[name], ""))).toBe(work[name]);
  }
  expect(work.queues.map(({ waiting }) => waiting)).toEqual([4]);
  for (const { queue, waiting } of work.queues) {
    expect(await countAt(openWorkHref(openWorkFilters.ofQueue(queue), ""))).toBe(waiting);
  }
  expect(work.severities.reduce((sum, { open }) => sum + open, 0)).toBe(8);
  expect(work.severities.map(({ severity }) => severity)).toContain(null);
  for (const { severity, open } of work.severities) {
    expect(await countAt(openWorkHref(openWorkFilters.ofSeverity(severity), ""))).toBe(open);
  }
});

test("a figure of a range opens the cases that were opened in it, finished ones too", async () => {
  const hour = (from: number, to: number) => ({
    from: new Date(Date.now() + from * 3_600_000).toISOString(),
    to: new Date(Date.now() + to * 3_600_000).toISOString(),
  });

  expect(await countAt(rangeHref({ airline: "BA" }, hour(-1, 1), ""))).toBe(8);
  expect(await countAt(rangeHref({ airline: "BA" }, hour(-3, -1), ""))).toBe(0);
  expect(await countAt(rangeHref({ airline: "XX" }, hour(-1, 1), ""))).toBe(0);
  expect(await countAt(rangeHref({ airline: "BA" }, hour(-1, 1), "elsewhere"))).toBe(0);
});
