import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import type { AuditHead } from "../../../src/store/audit/audit-entry.ts";
import { createAuditVerification, verifyAudit } from "../../../src/store/audit/audit-verification.ts";
import { type AuditedDatabase, createAuditedDatabase } from "./audited-database.ts";

let db: AuditedDatabase;
let head: AuditHead;

const tables = ["case_events", "audit_entries", "audit_chain", "audit_unsealed"];

beforeAll(async () => {
  db = await createAuditedDatabase();
  for (let n = 1; n <= 5; n += 1) await db.addEvent("case.noted", { note: `note ${n}` });
  await db.chain();
  ({ head } = await verifyAudit(db.database));
  await db.tamper(...tables.map((table) => `create table public.${table} as table skedchange.${table}`));
});
// As it was: five entries in their chain.
beforeEach(() =>
  db.tamper(
    ...tables.flatMap((table) => [
      `delete from skedchange.${table}`,
      `insert into skedchange.${table} overriding system value table public.${table}`,
    ]),
    "alter table skedchange.case_events alter column id restart with 6",
    "alter table skedchange.audit_entries alter column id restart with 6",
  ),
);
afterAll(() => db.drop());

test("an audit that nobody touched is whole, from the start, from a link on, and through a head that was kept", async () => {
  const first = head;
  await db.addEvent("case.closed");
  await db.chain();

  expect(await verifyAudit(db.database)).toMatchObject({ checked: 6, eventsGone: 0, broken: null });
  expect(await verifyAudit(db.database, { from: 6 })).toMatchObject({ checked: 1, broken: null });
  expect(await verifyAudit(db.database, { known: first })).toMatchObject({ checked: 6, broken: null });
  expect(await verifyAudit(db.database, { known: first, from: 6 })).toMatchObject({ checked: 1, broken: null });
});

test("an audit is checked part by part, or only at its end, and each part stops at the first violation", async () => {
  const verifyPart = createAuditVerification(db.database, 2);

  expect(await verifyPart(null)).toMatchObject({ from: 4, checked: 2, newest: 5, next: null, broken: null });
  expect(await verifyPart(1)).toMatchObject({ from: 1, checked: 2, newest: 5, next: 3, broken: null });
  expect(await verifyPart(3)).toMatchObject({ from: 3, checked: 2, next: 5, broken: null });
  expect(await verifyPart(5)).toMatchObject({ from: 5, checked: 1, next: null, head, broken: null });

  await db.tamper("update skedchange.audit_entries set actor = 'person:other' where id = 2");
  expect(await verifyPart(1)).toMatchObject({ checked: 1, next: null, broken: { code: "audit.hash_differs" } });
  expect(await verifyPart(3)).toMatchObject({ checked: 2, broken: null });
  await db.tamper("delete from skedchange.audit_chain where seq >= 4");
  expect(await verifyPart(3)).toMatchObject({ next: null, broken: { code: "audit.entry_without_link" } });
});

test("an empty audit is whole", async () => {
  const empty = await createAuditedDatabase();
  try {
    expect(await verifyAudit(empty.database)).toEqual({
      checked: 0,
      head: { seq: 0, hash: "00".repeat(32) },
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

  expect(verdict).toMatchObject({ checked: 4_505, head: { seq: 4_505 }, broken: null });
  expect(progress).toEqual([2_000, 4_000, 4_505]);
});

describe("with the rights of a superuser it is found when somebody", () => {
  test.each([
    [
      "changes who did it",
      "update skedchange.audit_entries set actor = 'worker' where id = 3",
      "audit.hash_differs",
      2,
    ],
    [
      "changes when it was",
      "update skedchange.audit_entries set at = at + interval '1 microsecond' where id = 3",
      "audit.hash_differs",
      2,
    ],
    [
      "changes a reference",
      `update skedchange.audit_entries set refs = '{"effectId": "x"}' where id = 1`,
      "audit.hash_differs",
      0,
    ],
    [
      "changes what proves a note",
      "update skedchange.audit_entries set detail_digest = sha256('x') where id = 5",
      "audit.hash_differs",
      4,
    ],
    ["deletes an entry", "delete from skedchange.audit_entries where id = 3", "audit.entry_missing", 2],
    ["deletes the first link", "delete from skedchange.audit_chain where seq = 1", "audit.link_missing", 0],
    ["deletes a link in the middle", "delete from skedchange.audit_chain where seq = 3", "audit.link_missing", 2],
    [
      "gives two links each other's entries",
      "update skedchange.audit_chain l set entry_id = 100 + 5 - seq where seq in (2, 3); update skedchange.audit_chain set entry_id = entry_id - 100 where entry_id > 100",
      "audit.hash_differs",
      1,
    ],
    ["changes a hash", "update skedchange.audit_chain set hash = sha256('x') where seq = 4", "audit.hash_differs", 3],
    ["deletes the last link", "delete from skedchange.audit_chain where seq = 5", "audit.entry_without_link", 5],
    [
      "adds an entry beside the chain",
      "insert into skedchange.audit_entries (at, kind, actor, refs) values (now(), 'decision.made', 'person:mlopez', '{}')",
      "audit.entry_without_link",
      5,
    ],
    [
      "rewrites a note in a timeline",
      `update skedchange.case_events set detail = '{"note": "another"}' where id = 2`,
      "audit.event_differs",
      1,
    ],
    [
      "rewrites who wrote a line of a timeline",
      "update skedchange.case_events set actor = 'worker' where id = 2",
      "audit.event_differs",
      1,
    ],
    [
      "adds a line to a timeline around the triggers",
      "insert into skedchange.case_events (case_id, at, kind, actor) select case_id, at, 'effect.sent', actor from skedchange.case_events limit 1",
      "audit.event_without_entry",
      5,
    ],
  ])("%s", async (_, statement, code, lastThatFits) => {
    await db.tamper(statement);

    const verdict = await verifyAudit(db.database);

    // Of a link cut off at the end, everything before it still fits.
    const expected = code === "audit.entry_without_link" && statement.startsWith("delete") ? 4 : lastThatFits;
    expect(verdict).toMatchObject({ broken: { code }, head: { seq: expected } });
  });

  test("deletes an entry that waits for its link", async () => {
    await db.addEvent("case.closed");
    await db.tamper("delete from skedchange.audit_entries where id = 6");

    expect(await verifyAudit(db.database)).toMatchObject({ broken: { code: "audit.entry_missing" } });
    // And it does not stop what comes after it from being sealed.
    await db.addEvent("case.reopened");
    expect(await db.chain()).toBe(1);
  });

  test("hides an entry from chaining", async () => {
    await db.addEvent("case.closed");
    await db.tamper("delete from skedchange.audit_unsealed");

    expect(await verifyAudit(db.database)).toMatchObject({
      broken: { code: "audit.entry_without_link", message: expect.stringContaining("Entry 6 ") },
    });
  });

  test("forges an entry and a link with an invented hash", async () => {
    await db.tamper(
      "insert into skedchange.audit_entries (at, kind, actor, refs) values (now(), 'decision.made', 'person:mlopez', '{}')",
      "insert into skedchange.audit_chain values (6, 6, sha256('forged'))",
    );

    expect(await verifyAudit(db.database)).toMatchObject({ broken: { code: "audit.hash_differs" }, head: { seq: 5 } });
  });
});

describe("a head that was kept elsewhere shows that somebody", () => {
  test("cut off the end, entries and timeline and all", async () => {
    await db.tamper(
      "delete from skedchange.audit_chain where seq >= 4",
      "delete from skedchange.audit_entries where id >= 4",
      "delete from skedchange.case_events where id >= 4",
    );

    expect(await verifyAudit(db.database)).toMatchObject({ checked: 3, broken: null });
    expect(await verifyAudit(db.database, { known: head })).toMatchObject({ broken: { code: "audit.head_missing" } });
  });

  test("rewrote an entry and computed all hashes again", async () => {
    await db.tamper(
      "update skedchange.case_events set actor = 'person:other' where id = 2",
      "update skedchange.audit_entries set actor = 'person:other' where id = 2",
      "insert into skedchange.audit_unsealed select entry_id from skedchange.audit_chain",
      "delete from skedchange.audit_chain",
      "select skedchange.seal_audit_entries(1000)",
    );

    expect(await verifyAudit(db.database)).toMatchObject({ checked: 5, broken: null });
    expect(await verifyAudit(db.database, { known: head })).toMatchObject({ broken: { code: "audit.head_differs" } });
    expect(await verifyAudit(db.database, { known: head, from: 6 })).toMatchObject({
      broken: { code: "audit.head_differs" },
    });
  });
});

test("a link to begin with that is not there is a gap", async () => {
  expect(await verifyAudit(db.database, { from: 7 })).toMatchObject({
    checked: 0,
    broken: { code: "audit.link_missing" },
  });
});

test("timeline lines that are gone are counted and break nothing", async () => {
  await db.tamper("delete from skedchange.case_events where id in (2, 4)");

  expect(await verifyAudit(db.database)).toMatchObject({ checked: 5, eventsGone: 2, broken: null });
});

test("an entry may wait a minute for its link, and no longer", async () => {
  await db.addEvent("case.closed");
  await db.tamper("update skedchange.audit_entries set recorded_at = now() - interval '50 seconds' where id = 6");
  expect((await verifyAudit(db.database)).broken).toBeNull();

  await db.tamper("update skedchange.audit_entries set recorded_at = now() - interval '61 seconds' where id = 6");
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

    expect(await verifyAudit(copy.database, { known: head })).toMatchObject({ checked: 5, broken: null });
  } finally {
    await copy.drop();
  }
});
