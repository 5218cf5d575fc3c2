import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { AuditHead } from "../../../src/store/audit/audit-blocks.ts";
import { createAuditVerification, verifyAudit } from "../../../src/store/audit/audit-verification.ts";
import { type AuditedDatabase, createAuditedDatabase, linkEntries } from "./audited-database.ts";

let db: AuditedDatabase;
let head: AuditHead;

const tables = ["case_events", "audit_entries", "audit_chain", "audit_blocks", "audit_progress"];

beforeAll(async () => {
  db = await createAuditedDatabase();
  for (let n = 1; n <= 3; n += 1) await db.addEvent("case.noted", { note: `note ${n}` });
  await linkEntries(db);
  for (let n = 4; n <= 9; n += 1) {
    await db.addEvent("case.noted", { note: `note ${n}` });
    if (n % 2 === 1) await db.chain();
  }
  ({ head } = await verifyAudit(db.database));
  await db.tamper(...tables.map((table) => `create table public.${table} as table skedchange.${table}`));
});
// As it was: three entries with links, and six in the blocks 4 to 6.
beforeEach(() =>
  db.tamper(
    ...tables.flatMap((table) => [
      `delete from skedchange.${table}`,
      `insert into skedchange.${table} overriding system value table public.${table}`,
    ]),
    "alter table skedchange.case_events alter column id restart with 10",
  ),
);
afterAll(() => db.drop());

test("an audit that nobody touched is whole, from the start, from a block on, and through a head that was kept", async () => {
  await db.addEvent("case.closed");
  await db.chain();

  expect(await verifyAudit(db.database)).toMatchObject({
    checked: 10,
    eventsGone: 0,
    head: { block: 7 },
    broken: null,
  });
  expect(await verifyAudit(db.database, { from: 7 })).toMatchObject({ checked: 1, broken: null });
  expect(await verifyAudit(db.database, { from: 3 })).toMatchObject({ checked: 8, broken: null });
  expect(await verifyAudit(db.database, { known: head })).toMatchObject({ checked: 10, broken: null });
  expect(await verifyAudit(db.database, { known: head, from: 7 })).toMatchObject({ checked: 1, broken: null });
});

test("a head of a link that was kept before there were blocks still fits, and another hash of its number does not", async () => {
  const { rows } = await db.database.pool.query(
    "select encode(hash, 'hex') as hash from skedchange.audit_chain where seq = 2",
  );

  const known = { block: 2, hash: rows[0].hash as string };
  expect(await verifyAudit(db.database, { known })).toMatchObject({ checked: 9, broken: null });
  expect(await verifyAudit(db.database, { known, from: 5 })).toMatchObject({ checked: 4, broken: null });
  expect(await verifyAudit(db.database, { known: { ...known, block: 3 } })).toMatchObject({
    broken: { code: "audit.head_differs" },
  });
});

test("an audit is checked part by part, or only at its end, and each part stops at the first violation", async () => {
  const verifyPart = createAuditVerification(db.database, 3);

  expect(await verifyPart(null)).toMatchObject({ from: 6, checked: 2, newest: 6, next: null, broken: null });
  expect(await verifyPart(1)).toMatchObject({ from: 1, checked: 3, newest: 6, next: 4, broken: null });
  expect(await verifyPart(4)).toMatchObject({ from: 4, checked: 4, next: 6, broken: null });
  expect(await verifyPart(6)).toMatchObject({ from: 6, checked: 2, next: null, head, broken: null });
  expect(await createAuditVerification(db.database, 1)(null)).toMatchObject({ from: 6, checked: 2, broken: null });

  await db.tamper("update skedchange.case_events set actor = 'person:other' where id = 6");
  expect(await verifyPart(4)).toMatchObject({ checked: 2, next: null, broken: { code: "audit.hash_differs" } });
  expect(await verifyPart(6)).toMatchObject({ checked: 2, broken: null });
  await db.tamper("delete from skedchange.audit_blocks where number >= 6");
  expect(await verifyPart(6)).toMatchObject({ next: null, broken: { code: "audit.block_missing" } });
});

test("an empty audit is whole", async () => {
  const empty = await createAuditedDatabase();
  try {
    expect(await verifyAudit(empty.database)).toEqual({
      checked: 0,
      head: { block: 0, hash: "00".repeat(32) },
      eventsGone: 0,
      eventsCut: 0,
      broken: null,
    });
  } finally {
    await empty.drop();
  }
});

test("an audit longer than one page is checked to its end", async () => {
  await db.database.pool.query(
    `insert into skedchange.case_events (case_id, at, kind, actor)
     select $1, now(), 'case.noted', 'worker' from generate_series(1, 4500)`,
    [db.caseId],
  );
  while ((await db.chain()) > 0);
  const progress: number[] = [];

  const verdict = await verifyAudit(db.database, { onProgress: (checked) => progress.push(checked) });

  expect(verdict).toMatchObject({ checked: 4_509, head: { block: 11 }, broken: null });
  expect(progress).toEqual([3, 2_009, 4_009, 4_509]);
});

describe("a head that was kept elsewhere shows that somebody", () => {
  test("cut off the end, entries and timeline and all", async () => {
    await db.tamper(
      "delete from skedchange.audit_blocks where number = 6",
      "delete from skedchange.case_events where id >= 8",
      "update skedchange.audit_progress p set number = 5, last_id = b.last_id, hash = b.hash from skedchange.audit_blocks b where b.number = 5",
    );

    expect(await verifyAudit(db.database)).toMatchObject({ checked: 7, broken: null });
    expect(await verifyAudit(db.database, { known: head })).toMatchObject({ broken: { code: "audit.head_missing" } });
  });

  test("rewrote an entry and computed all hashes again", async () => {
    await db.tamper(
      "update skedchange.case_events set actor = 'person:other' where id = 6",
      "delete from skedchange.audit_blocks where number > 4",
      "update skedchange.audit_progress p set number = 4, last_id = b.last_id, hash = b.hash from skedchange.audit_blocks b",
      "select skedchange.seal_audit_entries(2)",
      "select skedchange.seal_audit_entries(2)",
    );

    expect(await verifyAudit(db.database)).toMatchObject({ checked: 9, broken: null });
    expect(await verifyAudit(db.database, { known: head })).toMatchObject({ broken: { code: "audit.head_differs" } });
    expect(await verifyAudit(db.database, { known: head, from: 7 })).toMatchObject({
      broken: { code: "audit.head_differs" },
    });
  });
});

test("a block to begin with that is not there is a gap", async () => {
  expect(await verifyAudit(db.database, { from: 8 })).toMatchObject({
    checked: 0,
    broken: { code: "audit.block_missing" },
  });
});

test("timeline lines that are gone are counted and break nothing", async () => {
  await db.ownerDatabase.pool.query("delete from skedchange.case_events where id in (2, 4)");

  expect(await verifyAudit(db.database)).toMatchObject({ checked: 9, eventsGone: 2, broken: null });
});

test("an entry may wait a minute for its block, and no longer", async () => {
  await db.addEvent("case.closed");
  await db.tamper("update skedchange.case_events set recorded_at = now() - interval '50 seconds' where id = 10");
  expect((await verifyAudit(db.database)).broken).toBeNull();

  await db.tamper("update skedchange.case_events set recorded_at = now() - interval '61 seconds' where id = 10");
  expect(await verifyAudit(db.database)).toMatchObject({ broken: { code: "audit.sealing_behind" } });
});

test("a copy of the tables into another database is as whole as the original", async () => {
  const copy = await createAuditedDatabase();
  try {
    const copied = ["orders", "cases", ...tables];
    await copy.tamper(...copied.toReversed().map((table) => `delete from skedchange.${table}`));
    for (const table of copied) {
      const { rows } = await db.ownerDatabase.pool.query<{ content: string }>(
        `select coalesce(json_agg(t), '[]')::text as content from skedchange.${table} t`,
      );
      const content = rows[0]!.content.replaceAll("'", "''");
      await copy.tamper(
        "set timezone = 'Pacific/Auckland'",
        `insert into skedchange.${table} overriding system value
         select * from json_populate_recordset(null::skedchange.${table}, '${content}')`,
      );
    }

    expect(await verifyAudit(copy.database, { known: head })).toMatchObject({ checked: 9, broken: null });
  } finally {
    await copy.drop();
  }
});
