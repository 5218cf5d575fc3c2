import { afterAll, beforeAll, expect, test } from "vitest";
import { databaseRoleOf, rightsOfRoles } from "../../../src/store/database/role-rights.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const roles = Object.keys(rightsOfRoles);

test.each(roles)("everything that a %s is said to need is a table or a function", async (role) => {
  const { rows } = await db.ownerDatabase.pool.query<{ name: string }>(
    `select name from unnest($1::text[]) name
     where not exists (select from pg_class c where c.relnamespace::regnamespace || '.' || c.relname = name)
       and not exists (select from pg_proc p where p.pronamespace::regnamespace || '.' || p.proname = name)`,
    [rightsOfRoles[role]!.named.map((name) => (name.includes(".") ? name : `skedchange.${name}`))],
  );

  expect(rows).toEqual([]);
});

/** Read by functions of the owner, or written by commands, which use the service role. */
const ofNoProcess = ["audit_unsealed", "erasures"];

test("each table that the service role may read is read by a process of some role", async () => {
  const { rows } = await db.ownerDatabase.pool.query<{ name: string }>(
    `select c.relname as name from pg_class c
     where c.relnamespace in ('skedchange'::regnamespace, 'gateway'::regnamespace) and c.relkind in ('r', 'p', 'v')
       and not c.relispartition and has_table_privilege('skedchange_service', c.oid, 'select')
       and not exists (select from unnest($1::text[]) role where has_table_privilege(role, c.oid, 'select'))
     order by 1`,
    [roles.map(databaseRoleOf)],
  );

  expect(rows.map(({ name }) => name)).toEqual(ofNoProcess);
});

test("no role may do what the service role may not", async () => {
  const { rows } = await db.ownerDatabase.pool.query(
    `select c.oid::regclass::text as table, role, privilege
     from pg_class c, unnest($1::text[]) role, unnest(array['select', 'insert', 'update', 'delete', 'truncate']) privilege
     where c.relnamespace in ('skedchange'::regnamespace, 'gateway'::regnamespace) and c.relkind in ('r', 'p', 'v')
       and has_table_privilege(role, c.oid, privilege) and not has_table_privilege('skedchange_service', c.oid, privilege)`,
    [roles.map(databaseRoleOf)],
  );

  expect(rows).toEqual([]);
});
