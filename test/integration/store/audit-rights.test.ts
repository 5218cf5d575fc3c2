import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type AuditedDatabase, createAuditedDatabase } from "./audited-database.ts";

let db: AuditedDatabase;

beforeAll(async () => {
  db = await createAuditedDatabase();
  await db.addEvent("case.closed");
  await db.chain();
});
afterAll(() => db.drop());

describe("the service role", () => {
  test.each([
    ["change an entry", "update skedchange.audit_entries set actor = 'x'"],
    ["delete entries", "delete from skedchange.audit_entries"],
    ["truncate the entries", "truncate skedchange.audit_entries"],
    [
      "write an entry itself",
      "insert into skedchange.audit_entries (at, kind, actor, refs) values (now(), 'x', 'x', '{}')",
    ],
    ["change a link", "update skedchange.audit_chain set hash = sha256('x')"],
    ["delete links", "delete from skedchange.audit_chain"],
    ["truncate the chain", "truncate skedchange.audit_chain"],
    ["write a link itself", "insert into skedchange.audit_chain values (2, 1, sha256('x'))"],
    ["keep an entry from being sealed", "delete from skedchange.audit_unsealed"],
    ["say what is to be sealed", "insert into skedchange.audit_unsealed values (1)"],
    ["disable the triggers", "alter table skedchange.case_events disable trigger all"],
    ["go around the triggers", "set session_replication_role = replica"],
    [
      "replace what seals",
      "create or replace function skedchange.seal_audit_entries(batch integer) returns integer language sql as 'select 0'",
    ],
  ])("cannot %s", async (_, statement) => {
    await expect(db.database.pool.query(statement)).rejects.toMatchObject({ code: "42501" });
  });

  test("cannot call what triggers call", async () => {
    for (const name of ["audit_case_events", "audit_row"]) {
      await expect(db.database.pool.query(`select skedchange.${name}()`)).rejects.toMatchObject({ code: "42501" });
    }
  });
});

test.each([
  "update skedchange.audit_entries set actor = 'x'",
  "delete from skedchange.audit_chain",
  "truncate skedchange.audit_chain",
])("the owner is stopped as long as the triggers are there: %s", async (statement) => {
  await db.addEvent("case.closed");
  await db.chain();

  await expect(db.ownerDatabase.pool.query(statement)).rejects.toMatchObject({ code: "23514" });
});
