import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { workCounts } from "../../../src/dashboard/count-ports.ts";
import { createWorkCounts } from "../../../src/store/cases/work-counts.ts";
import { sql } from "../../../src/store/database/sql.ts";
import { queriesWith } from "../../builders/case-response.ts";
import { insertCase } from "../../builders/case-rows.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { startDashboard } from "./dashboard-server.ts";

let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

/** Marks a case by the owner, as people and clocks do. */
async function mark(caseId: string, change: { readonly assignee: string; readonly dueInMs?: number }): Promise<void> {
  await sql`
    update skedchange.cases set assignee = ${change.assignee},
      due_by = ${change.dueInMs === undefined ? null : new Date(Date.now() + change.dueInMs)}
    where id = ${caseId}`.execute(db.ownerDatabase.connection);
}

async function openTask(caseId: string, task: { readonly overdue: boolean; readonly closed: boolean }): Promise<void> {
  await sql`
    insert into skedchange.tasks
      (id, case_id, source, order_id, kind, reasons, opened_at, due_by, due_by_rule, closed_at, closed_by)
    select ${randomUUID()}, id, source, order_id, 'check-ticket', '[]', now(),
      ${new Date(Date.now() + (task.overdue ? -1 : 60_000))}::timestamptz, 'agency', ${task.closed ? new Date() : null}::timestamptz,
      ${task.closed ? "person:ann" : null}
    from skedchange.cases where id = ${caseId}`.execute(db.ownerDatabase.connection);
}

test("the counts show what waits for people: open cases by what they wait for, one's own, tasks and blocked orders", async () => {
  const waiting = await insertCase(db.ownerDatabase, { state: "awaiting-agent" });
  const late = await insertCase(db.ownerDatabase, { state: "awaiting-traveller" });
  await insertCase(db.ownerDatabase, { state: "ask-traveller" });
  const done = await insertCase(db.ownerDatabase, { state: "closed", closedAt: new Date() });
  await insertCase(db.ownerDatabase, { state: "checking", dueAt: new Date(Date.now() + 60_000), failures: 9 });
  await mark(waiting, { assignee: "person:api", dueInMs: 60_000 });
  await mark(late, { assignee: "person:ann", dueInMs: -1 });
  await mark(done, { assignee: "person:api", dueInMs: -1 });
  await openTask(done, { overdue: true, closed: false });
  await openTask(waiting, { overdue: false, closed: false });
  await openTask(late, { overdue: true, closed: true });
  const dashboard = await startDashboard({ queries: queriesWith([]), countWork: createWorkCounts(db.database) });
  try {
    const response = await dashboard.request("/api/v1/counts");

    expect(workCounts.parse(await response.json())).toEqual({
      needPerson: 2,
      mine: 1,
      overdue: 1,
      openTasks: 2,
      overdueTasks: 1,
      blockedOrders: 1,
      quarantined: 0,
    });
  } finally {
    await dashboard.stop();
  }
});
