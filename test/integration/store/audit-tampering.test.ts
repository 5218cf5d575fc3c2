import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { verifyAudit } from "../../../src/store/audit/audit-verification.ts";
import { type AuditedDatabase, createAuditedDatabase, linkEntries } from "./audited-database.ts";

let db: AuditedDatabase;

const tables = ["cases", "case_events", "audit_entries", "audit_chain", "audit_blocks", "audit_progress"];

beforeAll(async () => {
  db = await createAuditedDatabase();
  for (let n = 1; n <= 3; n += 1) await db.addEvent("case.noted", { note: `note ${n}` });
  await linkEntries(db);
  for (let n = 4; n <= 9; n += 1) {
    await db.addEvent("case.noted", { note: `note ${n}` });
    if (n % 2 === 1) await db.chain();
  }
  // As retention does.
  await db.ownerDatabase.pool.query(
    `update skedchange.case_events set detail = skedchange.without_texts(detail), texts_deleted_at = now() where id in (6, 7)`,
  );
  await db.tamper(...tables.map((table) => `create table public.${table} as table skedchange.${table}`));
});
// As it was: lines 1 to 3 with entries and links, 4 and 5 in block 4, 6 and 7 in block 5, which have left their entries since,
// 8 and 9 in block 6.
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

/** An entry of a decision that nobody made. */
const forgedEntry = (id: number): string =>
  `insert into skedchange.audit_entries (id, at, kind, actor, refs) overriding system value
   values (${id}, now(), 'decision.made', 'person:mlopez', '{}')`;

const moveEntry = (from: number, to: number): string =>
  `with moved as (delete from skedchange.audit_entries where id = ${from} returning *)
   insert into skedchange.audit_entries overriding system value
   select ${to}, at, recorded_at, kind, actor, source, order_id, case_id, case_event_id, refs, detail_digest from moved`;

const moveLine = (from: number, to: number): string =>
  `with moved as (delete from skedchange.case_events where id = ${from} returning *)
   insert into skedchange.case_events overriding system value
   select ${to}, case_id, at, kind, actor, detail, texts_deleted_at, token_id, recorded_at, has_entry from moved`;

/** A line that says the same as another one, as if it had been there long ago. */
const forgedLine = (id: number, hasEntry: boolean): string =>
  `insert into skedchange.case_events (id, case_id, at, kind, actor, has_entry) overriding system value
   select ${id}, case_id, at, 'effect.sent', actor, ${hasEntry} from skedchange.case_events where id = 4`;

const copyHash =
  "update skedchange.audit_progress set hash = (select hash from skedchange.audit_blocks where number = 6)";

/** What somebody does, and what verifying finds: the code, and the last block that fits. */
const kinds: readonly (readonly [what: string, statements: readonly string[], code: string, fits: number])[] = [
  // Entries with links of their own.
  [
    "changes who did it, in the old chain",
    ["update skedchange.audit_entries set actor = 'worker' where id = 2"],
    "audit.hash_differs",
    1,
  ],
  [
    "deletes an entry of the old chain",
    ["delete from skedchange.audit_entries where id = 2"],
    "audit.entry_missing",
    1,
  ],
  ["deletes the first link", ["delete from skedchange.audit_chain where seq = 1"], "audit.block_missing", 0],
  ["deletes a link", ["delete from skedchange.audit_chain where seq = 2"], "audit.block_missing", 1],
  ["deletes the last link", ["delete from skedchange.audit_chain where seq = 3"], "audit.block_missing", 2],
  ["deletes all links", ["delete from skedchange.audit_chain"], "audit.block_missing", 0],
  [
    "changes the hash of a link",
    ["update skedchange.audit_chain set hash = sha256('x') where seq = 2"],
    "audit.hash_differs",
    1,
  ],
  [
    "gives two links each other's entries",
    [
      "update skedchange.audit_chain set entry_id = 103 - seq where seq in (1, 2)",
      "update skedchange.audit_chain set entry_id = entry_id - 100 where entry_id > 100",
    ],
    "audit.hash_differs",
    0,
  ],
  ["adds an entry beside the old chain", [forgedEntry(0)], "audit.entry_without_block", 6],
  // Entries in blocks.
  [
    "changes who did it",
    ["update skedchange.audit_entries set actor = 'worker' where id = 6"],
    "audit.hash_differs",
    4,
  ],
  [
    "changes what was done",
    ["update skedchange.audit_entries set kind = 'case.closed' where id = 6"],
    "audit.hash_differs",
    4,
  ],
  [
    "changes when it was",
    ["update skedchange.audit_entries set at = at + interval '1 microsecond' where id = 6"],
    "audit.hash_differs",
    4,
  ],
  [
    "changes when it was recorded",
    ["update skedchange.audit_entries set recorded_at = recorded_at - interval '1 day' where id = 6"],
    "audit.hash_differs",
    4,
  ],
  [
    "changes an order",
    ["update skedchange.audit_entries set order_id = 'other' where id = 6"],
    "audit.hash_differs",
    4,
  ],
  [
    "changes a reference",
    [`update skedchange.audit_entries set refs = '{"effectId": "x"}' where id = 6`],
    "audit.hash_differs",
    4,
  ],
  [
    "changes what proves a note",
    ["update skedchange.audit_entries set detail_digest = sha256('x') where id = 7"],
    "audit.hash_differs",
    4,
  ],
  ["gives an entry another id", [moveEntry(6, 100)], "audit.entry_missing", 4],
  ["swaps two entries of a block", [moveEntry(6, 100), moveEntry(7, 6), moveEntry(100, 7)], "audit.hash_differs", 4],
  ["deletes an entry", ["delete from skedchange.audit_entries where id = 6"], "audit.entry_missing", 4],
  [
    "deletes all entries of a block",
    ["delete from skedchange.audit_entries where id in (6, 7)"],
    "audit.entry_missing",
    4,
  ],
  [
    "adds an entry among those of a block",
    ["delete from skedchange.audit_entries where id = 6", forgedEntry(6)],
    "audit.hash_differs",
    4,
  ],
  [
    "adds an entry in an id that was never used",
    ["update skedchange.audit_blocks set last_id = 12 where number = 6", forgedEntry(11)],
    "audit.entry_without_block",
    5,
  ],
  // Blocks.
  ["deletes a block", ["delete from skedchange.audit_blocks where number = 5"], "audit.block_missing", 4],
  ["deletes the first block", ["delete from skedchange.audit_blocks where number = 4"], "audit.block_missing", 3],
  ["cuts off the last block", ["delete from skedchange.audit_blocks where number = 6"], "audit.block_missing", 5],
  ["cuts off all blocks", ["delete from skedchange.audit_blocks"], "audit.block_missing", 3],
  [
    "cuts off the last block, and lets the next one be chained",
    [
      "delete from skedchange.audit_blocks where number = 6",
      forgedEntry(10),
      "select skedchange.seal_audit_entries(10)",
    ],
    "audit.block_missing",
    5,
  ],
  [
    "deletes a block with its entries and lines",
    [
      "delete from skedchange.audit_blocks where number = 5",
      "delete from skedchange.audit_entries where id in (6, 7)",
      "delete from skedchange.case_events where id in (6, 7)",
    ],
    "audit.block_missing",
    4,
  ],
  [
    "changes the hash of a block",
    ["update skedchange.audit_blocks set hash = sha256('x') where number = 5"],
    "audit.hash_differs",
    4,
  ],
  [
    "changes the hash of the last block, and the note of it",
    ["update skedchange.audit_blocks set hash = sha256('x') where number = 6", copyHash],
    "audit.hash_differs",
    5,
  ],
  [
    "says that a block has fewer entries",
    ["update skedchange.audit_blocks set entries = 1 where number = 5"],
    "audit.entry_without_block",
    4,
  ],
  [
    "says that a block has more entries",
    ["update skedchange.audit_blocks set entries = 3 where number = 5"],
    "audit.entry_missing",
    4,
  ],
  [
    "moves an entry to the next block",
    [
      "update skedchange.audit_blocks set last_id = 6, entries = 1 where number = 5",
      "update skedchange.audit_blocks set entries = 3 where number = 6",
    ],
    "audit.hash_differs",
    4,
  ],
  [
    "gives a block another number",
    ["update skedchange.audit_blocks set number = 9 where number = 6"],
    "audit.block_missing",
    5,
  ],
  [
    "joins two blocks",
    [
      "delete from skedchange.audit_blocks where number = 5",
      "update skedchange.audit_blocks set number = 5, entries = 4 where number = 6",
    ],
    "audit.hash_differs",
    4,
  ],
  [
    "adds a block with an invented hash",
    [forgedEntry(10), "insert into skedchange.audit_blocks values (7, 10, 1, sha256('forged'))"],
    "audit.hash_differs",
    6,
  ],
  [
    "adds a block with a hash that fits",
    [
      forgedEntry(10),
      `insert into skedchange.audit_blocks select 7, 10, 1,
         sha256((select hash from skedchange.audit_blocks where number = 6) || convert_to(skedchange.audit_canonical(e), 'UTF8'))
       from skedchange.audit_entries e where e.id = 10`,
    ],
    "audit.hash_differs",
    7,
  ],
  ["deletes the note of the last block", ["delete from skedchange.audit_progress"], "audit.block_missing", 6],
  [
    "changes the note of the last block",
    ["update skedchange.audit_progress set hash = sha256('x')"],
    "audit.hash_differs",
    6,
  ],
  [
    "lets entries be passed over",
    [
      forgedEntry(10),
      "update skedchange.audit_progress set last_id = 10",
      forgedEntry(11),
      "select skedchange.seal_audit_entries(10)",
    ],
    "audit.entry_without_block",
    6,
  ],
  [
    "keeps entries from being chained",
    [forgedEntry(10), "update skedchange.audit_entries set recorded_at = now() - interval '61 seconds' where id = 10"],
    "audit.sealing_behind",
    6,
  ],
  // Lines of timelines that are their own entries.
  [
    "rewrites a note in a timeline",
    [`update skedchange.case_events set detail = '{"note": "another"}' where id = 4`],
    "audit.hash_differs",
    3,
  ],
  [
    "rewrites who wrote a line",
    ["update skedchange.case_events set actor = 'worker' where id = 4"],
    "audit.hash_differs",
    3,
  ],
  [
    "rewrites when a line was written",
    ["update skedchange.case_events set recorded_at = recorded_at - interval '1 day' where id = 9"],
    "audit.hash_differs",
    5,
  ],
  [
    "rewrites with which token a person acted",
    ["update skedchange.case_events set token_id = gen_random_uuid() where id = 4"],
    "audit.hash_differs",
    3,
  ],
  ["gives a case another order", ["update skedchange.cases set order_id = 'other'"], "audit.hash_differs", 3],
  ["deletes a line", ["delete from skedchange.case_events where id = 8"], "audit.entry_missing", 5],
  ["adds a line in an id that was never used", [moveLine(9, 12), forgedLine(9, false)], "audit.hash_differs", 5],
  ["adds a line before all others", [forgedLine(0, true)], "audit.event_without_entry", 6],
  ["swaps two lines of a block", [moveLine(4, 100), moveLine(5, 4), moveLine(100, 5)], "audit.hash_differs", 3],
  [
    "swaps two lines of different blocks",
    [moveLine(5, 100), moveLine(8, 5), moveLine(100, 8)],
    "audit.hash_differs",
    3,
  ],
  [
    "says that a line has an entry",
    ["update skedchange.case_events set has_entry = true where id = 4"],
    "audit.entry_missing",
    3,
  ],
  [
    "gives a line an entry that says something else",
    [
      "update skedchange.case_events set has_entry = true where id = 4",
      `insert into skedchange.audit_entries (id, at, recorded_at, kind, actor, source, order_id, case_id, case_event_id, refs)
       select id, at, recorded_at, kind, 'worker', 'default', 'x', case_id, id, '{}' from skedchange.case_events where id = 4`,
    ],
    "audit.hash_differs",
    3,
  ],
  // Lines that have entries.
  [
    "rewrites a note of a line of the old chain",
    [`update skedchange.case_events set detail = '{"note": "another"}' where id = 2`],
    "audit.event_differs",
    1,
  ],
  [
    "rewrites who wrote a line of the old chain",
    ["update skedchange.case_events set actor = 'worker' where id = 2"],
    "audit.event_differs",
    1,
  ],
  [
    "rewrites when a line was written whose texts are gone",
    ["update skedchange.case_events set at = now() where id = 6"],
    "audit.event_differs",
    4,
  ],
  [
    "says that a line has no entry",
    ["update skedchange.case_events set has_entry = false where id = 6"],
    "audit.entry_without_block",
    4,
  ],
  ["adds a line as if it had an entry", [forgedLine(10, true)], "audit.event_without_entry", 6],
];

test.each(kinds)(
  "it is found when somebody with all rights and without triggers %s",
  async (_, statements, code, fits) => {
    await db.tamper(...statements);

    expect(await verifyAudit(db.database)).toMatchObject({ broken: { code }, head: { block: fits } });
  },
);

/** Each as one statement. Nothing is left of it. */
const refused = [
  ["change an entry", "update skedchange.audit_entries set actor = 'x'"],
  ["delete entries", "delete from skedchange.audit_entries"],
  ["truncate the entries", "truncate skedchange.audit_entries cascade"],
  ["change a link", "update skedchange.audit_chain set hash = sha256('x')"],
  ["delete links", "delete from skedchange.audit_chain"],
  ["truncate the links", "truncate skedchange.audit_chain"],
  ["change a block", "update skedchange.audit_blocks set hash = sha256('x')"],
  ["change when a block was written", "update skedchange.audit_blocks set sealed_at = now()"],
  ["delete blocks", "delete from skedchange.audit_blocks"],
  ["truncate the blocks", "truncate skedchange.audit_blocks"],
] as const;

test.each(refused)("the service role cannot %s", async (_, statement) => {
  await expect(db.database.pool.query(statement)).rejects.toMatchObject({ code: "42501" });
});

test.each(refused)("the owner cannot %s as long as the triggers are there", async (_, statement) => {
  await expect(db.ownerDatabase.pool.query(statement)).rejects.toMatchObject({ code: "23514" });
  expect(await verifyAudit(db.database)).toMatchObject({ broken: null });
});

describe("the service role", () => {
  test.each([
    [
      "write an entry itself",
      "insert into skedchange.audit_entries (at, kind, actor, refs) values (now(), 'x', 'x', '{}')",
    ],
    ["write a link itself", "insert into skedchange.audit_chain values (4, 1, sha256('x'))"],
    ["write a block itself", "insert into skedchange.audit_blocks values (7, 10, 1, sha256('x'))"],
    ["change the note of the last block", "update skedchange.audit_progress set number = 0"],
    ["delete the note of the last block", "delete from skedchange.audit_progress"],
    [
      "lock out those who write entries",
      "do $$ begin lock table skedchange.audit_entries in share row exclusive mode; end $$",
    ],
    ["disable the triggers", "alter table skedchange.case_events disable trigger all"],
    ["drop a trigger", "drop trigger case_events_leave_their_entry on skedchange.case_events"],
    ["go around the triggers", "set session_replication_role = replica"],
    [
      "replace what chains",
      "create or replace function skedchange.seal_audit_entries(batch integer) returns integer language sql as 'select 0'",
    ],
    ["call what triggers call", "select skedchange.leave_entry_of_line()"],
    [
      "choose the number of a line",
      "insert into skedchange.case_events (id, case_id, at, kind, actor) overriding system value select 3, id, now(), 'x', 'x' from skedchange.cases",
    ],
    [
      "say when a line was recorded",
      "insert into skedchange.case_events (case_id, at, kind, actor, recorded_at) select id, now(), 'x', 'x', now() from skedchange.cases",
    ],
    [
      "add a line that is no entry",
      "insert into skedchange.case_events (case_id, at, kind, actor, has_entry) select id, now(), 'x', 'x', true from skedchange.cases",
    ],
    ["change a line", "update skedchange.case_events set actor = 'x'"],
    ["delete a line", "delete from skedchange.case_events"],
    ["call what the triggers of rows call", "select skedchange.audit_row()"],
  ])("cannot %s", async (_, statement) => {
    await expect(db.database.pool.query(statement)).rejects.toMatchObject({ code: "42501" });
  });
});
