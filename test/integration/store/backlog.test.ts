import { afterAll, beforeAll, expect, test } from "vitest";
import { appendToAuditChain } from "../../../src/store/audit/append-to-audit-chain.ts";
import { backlogQuery, readBacklog } from "../../../src/store/cases/backlog.ts";
import { sql } from "../../../src/store/database/sql.ts";
import { inTransaction } from "../../../src/store/database/transaction.ts";
import { insertCase } from "../../builders/case-rows.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";

let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const now = new Date();

test("the backlog counts what is open, and what is due since when", async () => {
  const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
  await insertCase(db.ownerDatabase, { state: "awaiting-agent" });
  await insertCase(db.ownerDatabase, { state: "received", dueAt: ago(5) });
  await insertCase(db.ownerDatabase, { state: "received", dueAt: ago(-5) });
  // Known bytes came again: its status is to be read, and it stays finished.
  await insertCase(db.ownerDatabase, { state: "done", dueAt: ago(90), closedAt: ago(100) });

  expect(await readBacklog(db.database.connection, now)).toEqual({
    casesByState: { "awaiting-agent": 1, received: 2 },
    casesDue: 2,
    oldestDueSeconds: 90,
    quarantined: 0,
    auditBehindSeconds: 0,
    automationStoppedAt: null,
  });
});

test("the audit is behind from when its oldest entry was recorded, until that is in a block", async () => {
  const later = (seconds: number) => new Date(Date.now() + seconds * 1_000);
  await db.ownerDatabase.pool.query(
    "insert into skedchange.automation_stops (id, stopped_at, stopped_by, note) values (gen_random_uuid(), now(), 'person:ana', 'leaked')",
  );
  const { auditBehindSeconds } = await readBacklog(db.database.connection, later(90));
  expect(auditBehindSeconds).toBeGreaterThan(80);
  expect(auditBehindSeconds).toBeLessThan(100);

  await appendToAuditChain(db.database, 1_000);

  expect((await readBacklog(db.database.connection, later(90))).auditBehindSeconds).toBe(0);
});

test("the backlog is read by indexes of what is open, however many cases and notifications there are", async () => {
  const read = await inTransaction(db.ownerDatabase, async (transaction) => {
    // Tables this small are read faster as a whole; this asks whether indexes could serve.
    await sql`set local enable_seqscan = off`.execute(transaction);
    const { rows } = await sql<{ "QUERY PLAN": string }>`explain ${backlogQuery(new Date())}`.execute(transaction);
    const names = rows.flatMap(
      (row) => /(?:Index.* using|Bitmap Index Scan on|Seq Scan on) (\w+)/.exec(row["QUERY PLAN"])?.[1] ?? [],
    );
    const known = await sql<{ name: string; is_partial: boolean }>`
      select c.relname as name, i.indpred is not null as is_partial
      from pg_class c join pg_index i on i.indexrelid = c.oid
      where c.relnamespace = 'skedchange'::regnamespace and c.relname = any(${names})
    `.execute(transaction);
    return { names, partial: new Set(known.rows.filter((row) => row.is_partial).map((row) => row.name)) };
  });

  expect(read.names).toContain("cases_due");
  // Decisions are looked up for the few open cases whose effect can still be stopped, the audit from the end of its chain on.
  expect(read.names.filter((name) => !read.partial.has(name))).toEqual([
    "decisions_pkey",
    ...["audit_blocks_end_once", "audit_chain_entry_once", "audit_entries_pkey"],
    ...["audit_blocks_end_once", "audit_chain_entry_once", "case_events_pkey", "cases_pkey"],
  ]);
});
