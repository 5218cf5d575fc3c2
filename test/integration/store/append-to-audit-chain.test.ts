import * as fc from "fast-check";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { appendToAuditChain } from "../../../src/store/audit/append-to-audit-chain.ts";
import { nameToken } from "../../../src/store/audit/audit-actor.ts";
import { type AuditEntry, auditEntryColumns, canonicalTextOf } from "../../../src/store/audit/audit-entry.ts";
import { createAuditReading } from "../../../src/store/audit/audit-reading.ts";
import { verifyAudit } from "../../../src/store/audit/audit-verification.ts";
import { type Sql, sql } from "../../../src/store/database/sql.ts";
import { inTransaction } from "../../../src/store/database/transaction.ts";
import { type AuditedDatabase, createAuditedDatabase, linkEntries, readEntries } from "./audited-database.ts";

let db: AuditedDatabase;

beforeEach(async () => {
  db = await createAuditedDatabase();
});
afterEach(() => db.drop());

const everything = {};

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

  const [entry] = await readEntries(db);
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

test("an id under a key that is a number is no reference, because JavaScript would put it at another place", async () => {
  const id = "01890c5e-0000-7000-8000-000000000001";
  await db.addEvent("decision.made", { "10": id, "9": id, effectId: id });
  await db.chain();

  expect((await readEntries(db)).map(({ refs }) => refs)).toEqual([{ effectId: id }]);
  expect((await verifyAudit(db.database)).broken).toBeNull();
});

test("a line that loses its texts, or goes, leaves its entry as it was, whoever does that", async () => {
  const ownTokenId = "01890c5e-0000-7000-8000-00000000000a";
  const otherTokenId = "01890c5e-0000-7000-8000-00000000000b";
  const withToken = (tokenId: string, statement: Sql) =>
    inTransaction(db.ownerDatabase, async (transaction) => {
      await nameToken(transaction, tokenId);
      await statement.execute(transaction);
    });
  await withToken(
    ownTokenId,
    sql`insert into skedchange.case_events (case_id, at, kind, actor)
      values (${db.caseId}, now(), 'case.noted', 'person:mlopez')`,
  );
  await db.addEvent("case.closed", { note: "he said so" });
  const before = await readEntries(db);
  await db.chain();

  await withToken(
    otherTokenId,
    sql`update skedchange.case_events set detail = '{"is": "cut"}', texts_deleted_at = now()`,
  );
  expect(await readEntries(db)).toEqual(before);
  expect(await verifyAudit(db.database)).toMatchObject({ checked: 2, eventsCut: 2, broken: null });
  await withToken(otherTokenId, sql`delete from skedchange.case_events`);
  expect(await readEntries(db)).toEqual(before);
  expect(before[0]!.refs).toEqual({ actorToken: ownTokenId });
  expect(await verifyAudit(db.database)).toMatchObject({ checked: 2, eventsGone: 2, broken: null });
});

test("a session whose time zone says what UTC is chains the same bytes", async () => {
  await db.addEvent("decision.made");
  const client = await db.database.pool.connect();
  try {
    await client.query("set timezone = 'UTC+5'");
    await client.query("select skedchange.seal_audit_entries(1000)");
    await client.query("reset timezone");
  } finally {
    client.release();
  }

  expect(await verifyAudit(db.database)).toMatchObject({ checked: 1, broken: null });
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

  expect((await readEntries(db)).map(({ kind }) => kind)).toEqual(["case.closed"]);
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

/** What the chain has, as the export reads it. */
async function readChain() {
  const audit = createAuditReading(db.database);
  const lines = [];
  for await (const line of audit.streamChain(everything, await audit.readHead())) lines.push(line);
  return {
    kinds: lines.flatMap((line) => ("kind" in line ? [line.kind] : [])),
    blocks: lines.flatMap((line) => ("entries" in line ? [line.entries] : [])),
  };
}

/** A transaction of the service role. */
async function begin(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: db.serviceUrl });
  await client.connect();
  await client.query("begin");
  return client;
}

const addEvent = `insert into skedchange.case_events (case_id, at, kind, actor) values ($1, now(), $2, 'worker')`;

describe("chaining", () => {
  test("with eight writers and two chainers at once, loses no entry, whatever the order of ids and commits", async () => {
    let isWriting = true;
    const chainers = [1, 2].map(async () => {
      while (isWriting) await appendToAuditChain(db.database, 7);
    });
    // The id of the first entry is drawn, then other writers draw and commit theirs, then it is committed.
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      const client = new pg.Client({ connectionString: db.serviceUrl });
      await client.connect();
      for (let n = 0; n < 40; n += 1) {
        await client.query("begin");
        await client.query(addEvent, [db.caseId, `writer-${writer}.first`]);
        await client.query(addEvent, [db.caseId, `writer-${writer}.second`]);
        // Some draw ids that never come.
        await client.query(n % 5 === 0 ? "rollback" : "commit");
        await client.query("select skedchange.audit_export('cases', 'person:mlopez')");
      }
      await client.end();
    });
    await Promise.all(writers);
    isWriting = false;
    await Promise.all(chainers);
    while ((await db.chain()) > 0);

    const entries = 8 * (32 * 2 + 40);
    const { rows } = await db.database.pool.query(
      "select sum(entries)::int as entries, max(entries) as most, count(*)::int = max(number) as gapless from skedchange.audit_blocks",
    );
    expect(rows).toEqual([{ entries, most: 7, gapless: true }]);
    expect((await readChain()).kinds).toHaveLength(entries);
    expect(await verifyAudit(db.database)).toMatchObject({ checked: entries, broken: null });
  });

  test("waits for a transaction that may still commit an entry with a lower id, and no longer", async () => {
    const late = await begin();
    try {
      await late.query(addEvent, [db.caseId, "case.late"]);
      await db.addEvent("case.early");
      expect(await db.chain()).toBe(0);
      await late.query("commit");
    } finally {
      await late.end();
    }
    await db.addEvent("case.next");
    expect(await db.chain()).toBe(3);

    expect(await readChain()).toEqual({ kinds: ["case.late", "case.early", "case.next"], blocks: [3] });
    expect(await verifyAudit(db.database)).toMatchObject({ checked: 3, broken: null });
  });

  test("chains what was there before the writer began that does not end", async () => {
    const first = await begin();
    await first.query(addEvent, [db.caseId, "case.first"]);
    await db.addEvent("case.second");
    expect(await db.chain()).toBe(0);
    const endless = await begin();
    try {
      await endless.query(addEvent, [db.caseId, "case.endless"]);
      await first.query("commit");
      await first.end();
      await db.addEvent("case.third");

      expect(await db.chain()).toBe(2);
      expect(await db.chain()).toBe(0);
    } finally {
      await endless.end();
    }
    expect(await db.chain()).toBe(1);
    expect(await readChain()).toEqual({ kinds: ["case.first", "case.second", "case.third"], blocks: [2, 1] });
  });

  test("does not wait for a transaction of a server from which the database was dumped", async () => {
    await db.addEvent("case.first");
    await db.addEvent("case.second");
    await db.tamper("update skedchange.audit_progress set seen_id = 1, seen_writers = '{4711/1}'");
    const other = await begin();
    try {
      await other.query(addEvent, [db.caseId, "case.noted"]);
      expect(await db.chain()).toBe(1);
    } finally {
      await other.end();
    }
    expect(await db.chain()).toBe(1);
    expect(await verifyAudit(db.database)).toMatchObject({ checked: 2, broken: null });
  });

  test("does not wait for a transaction that adds no entry", async () => {
    const reader = await begin();
    try {
      await reader.query("select pg_current_xact_id(), count(*) from skedchange.audit_entries");
      await db.addEvent("case.closed");
      expect(await db.chain()).toBe(1);
    } finally {
      await reader.end();
    }
  });

  test("is refused in a transaction that does not see what was committed since it began", async () => {
    const client = await begin();
    try {
      await client.query("set transaction isolation level repeatable read");
      await expect(client.query("select skedchange.seal_audit_entries(10)")).rejects.toMatchObject({ code: "25000" });
    } finally {
      await client.end();
    }
  });

  test("writes nothing while there is nothing to chain", async () => {
    await db.addEvent("case.closed");
    await db.chain();
    const { rows } = await db.database.pool.query(
      "select skedchange.seal_audit_entries(10) as chained, pg_current_xact_id_if_assigned() as transaction",
    );

    expect(rows).toEqual([{ chained: 0, transaction: null }]);
  });

  test("that dies half-way leaves nothing behind and locks nobody out", async () => {
    await db.addEvent("case.closed");
    const chainer = new pg.Client({ connectionString: db.serviceUrl });
    const died = new Promise((resolve) => chainer.on("error", resolve));
    await chainer.connect();
    const { rows } = await chainer.query<{ pid: number }>("select pg_backend_pid() as pid");
    await chainer.query("begin");
    expect((await chainer.query("select skedchange.seal_audit_entries(10) as n")).rows).toEqual([{ n: 1 }]);
    // While it holds the lock, nobody else chains.
    expect(await db.chain()).toBe(0);
    await db.tamper(`select pg_terminate_backend(${rows[0]!.pid}, 5000)`);
    await died;

    expect(await db.chain()).toBe(1);
    expect(await verifyAudit(db.database)).toMatchObject({ checked: 1, broken: null });
  });

  test("goes on from the last link of an installation that had one for each entry", async () => {
    await db.addEvent("case.noted");
    await db.addEvent("case.closed");
    const head = await linkEntries(db);
    await db.addEvent("case.reopened");
    await db.addEvent("case.noted");
    expect(await db.chain()).toBe(2);

    expect(head).toMatchObject({ block: 2 });
    expect(await readChain()).toEqual({
      kinds: ["case.noted", "case.closed", "case.reopened", "case.noted"],
      blocks: [1, 1, 2],
    });
    expect(await verifyAudit(db.database, { known: head })).toMatchObject({
      checked: 4,
      head: { block: 3 },
      broken: null,
    });
    const { items } = await createAuditReading(db.database).listEntries(everything, { before: null, limit: 9 });
    expect(items.map(({ block }) => block)).toEqual([3, 3, 2, 1]);
  });
});
