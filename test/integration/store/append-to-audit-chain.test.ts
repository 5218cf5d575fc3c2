import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import * as fc from "fast-check";
import pg from "pg";
import { appendToAuditChain } from "../../../src/store/audit/append-to-audit-chain.ts";
import { type AuditEntry, auditEntryColumns, canonicalTextOf } from "../../../src/store/audit/audit-entry.ts";
import { createAuditReading } from "../../../src/store/audit/audit-reading.ts";
import { verifyAudit } from "../../../src/store/audit/audit-verification.ts";
import { sql } from "../../../src/store/database/sql.ts";
import { type AuditedDatabase, createAuditedDatabase } from "./audited-database.ts";

let db: AuditedDatabase;

beforeEach(async () => {
  db = await createAuditedDatabase();
});
afterEach(() => db.drop());

const everything = {};

async function readEntries(): Promise<readonly AuditEntry[]> {
  const { rows } = await sql<AuditEntry>`
    select ${auditEntryColumns} from skedchange.audit_entries e order by e.id`.execute(db.database.connection);
  return rows;
}

test("an entry holds ids and codes, and of everything else the digest only", async () => {
  const decisionId = "01890c5e-0000-7000-8000-000000000001";
  await db.addEvent("decision.made", {
    decisionId,
    action: "accept",
    rule: "small-delay",
    note: "MARKER told me that it is fine",
    error: { code: "x", message: "MARKER" },
    reason: "MARKER",
  });

  const [entry] = await readEntries();
  expect(entry).toMatchObject({
    kind: "decision.made",
    actor: "person:mlopez",
    source: "default",
    orderId: db.orderId,
    caseId: db.caseId,
    caseEventId: 1,
    refs: { decisionId, action: "accept", rule: "small-delay" },
    detailDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(JSON.stringify(entry)).not.toContain("MARKER");
});

test("an entry goes with the transaction that caused it", async () => {
  const client = await db.database.pool.connect();
  try {
    await client.query("begin");
    await client.query(
      "insert into skedchange.case_events (case_id, at, kind, actor) values ($1, now(), 'case.noted', 'worker')",
      [db.caseId],
    );
    await client.query("rollback");
  } finally {
    client.release();
  }
  await db.addEvent("case.closed");

  expect((await readEntries()).map(({ kind }) => kind)).toEqual(["case.closed"]);
});

test("the database and the verification write down an entry in the same bytes, whatever it holds", async () => {
  const text = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 20 }),
    fc.string({ unit: "binary", maxLength: 20 }),
    fc.constantFrom('"', "\\", "\u007f", "\u2028", "😀", "\n\t\r\b\f\u0001", "</script>"),
  );
  // A half of a surrogate pair is no character; encoding replaces it.
  const isStorable = (value: string): boolean => !value.includes("\0") && Buffer.from(value).toString() === value;
  const storable = text.filter(isStorable);
  const entry = fc.record({
    kind: storable,
    actor: storable,
    source: fc.option(storable),
    orderId: fc.option(storable),
    refs: fc.dictionary(fc.stringMatching(/^[A-Za-z_]{1,12}$/), storable, { noNullPrototype: true }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { minLength: 1, maxLength: 20 }), async (entries) => {
      const { rows } = await sql<AuditEntry & { canonical: string }>`
        select ${auditEntryColumns}, skedchange.audit_canonical(e) as canonical
        from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb)
            as given (kind text, actor text, source text, "orderId" text, refs jsonb),
          lateral (select (row(7, '2027-03-14 10:00:00.000123+02', '2027-03-14 10:00:01+02', given.kind, given.actor,
            given.source, given."orderId", null, 12, given.refs, sha256('x'))::skedchange.audit_entries).*) e
      `.execute(db.ownerDatabase.connection);
      for (const row of rows) expect(canonicalTextOf(row)).toBe(row.canonical);
      expect(rows).toHaveLength(entries.length);
    }),
    { numRuns: 30 },
  );
});

describe("chaining", () => {
  test("with eight writers and two sealers at once, links every entry once", async () => {
    const chainers = [1, 2].map(async () => {
      for (let round = 0; round < 20; round += 1) await appendToAuditChain(db.database, 7);
    });
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let n = 0; n < 10; n += 1) await db.addEvent("case.noted", { note: `${writer} ${n}` });
    });
    await Promise.all([...chainers, ...writers]);
    while ((await db.chain()) > 0);

    const verdict = await verifyAudit(db.database);
    expect(verdict).toMatchObject({ checked: 80, head: { seq: 80 }, broken: null });
  });

  test("takes an entry that commits late after those that committed before it", async () => {
    const late = await db.database.pool.connect();
    try {
      await late.query("begin");
      await late.query(
        "insert into skedchange.case_events (case_id, at, kind, actor) values ($1, now(), 'case.late', 'worker')",
        [db.caseId],
      );
      await db.addEvent("case.early");
      expect(await db.chain()).toBe(1);
      await late.query("commit");
    } finally {
      late.release();
    }
    expect(await db.chain()).toBe(1);

    const audit = createAuditReading(db.database);
    const kinds: string[] = [];
    for await (const { kind } of audit.streamEntries(everything, await audit.readHead())) kinds.push(kind);
    expect(kinds).toEqual(["case.early", "case.late"]);
    expect(await verifyAudit(db.database)).toMatchObject({ checked: 2, broken: null });
  });

  test("that dies half-way leaves nothing behind and locks nobody out", async () => {
    await db.addEvent("case.closed");
    const chainer = new pg.Client({ connectionString: db.serviceUrl });
    const died = new Promise((resolve) => chainer.on("error", resolve));
    await chainer.connect();
    const { rows } = await chainer.query<{ pid: number }>("select pg_backend_pid() as pid");
    await chainer.query("begin");
    expect((await chainer.query("select skedchange.seal_audit_entries(10) as n")).rows).toEqual([{ n: 1 }]);
    // While it holds the lock, nobody else seals.
    expect(await db.chain()).toBe(0);
    await db.tamper(`select pg_terminate_backend(${rows[0]!.pid}, 5000)`);
    await died;

    expect(await db.chain()).toBe(1);
    expect(await verifyAudit(db.database)).toMatchObject({ checked: 1, broken: null });
  });
});
