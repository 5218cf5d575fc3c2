import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { eventually } from "../../harness/eventually.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

test("a test database is migrated and empty, and the code under test uses it as the service role", async () => {
  const { rows } = await db.database.pool.query(
    "select count(*)::int as count, current_user::text as role from skedchange.notifications",
  );

  expect(rows).toEqual([{ count: 0, role: "skedchange_app" }]);
});

test("two test databases do not see each other's rows", async () => {
  const other = await createTestDatabase();
  try {
    await other.database.pool.query("insert into skedchange.orders (source, order_id) values ('default', 'A')");

    const { rows } = await db.database.pool.query("select * from skedchange.orders");
    expect(rows).toEqual([]);
  } finally {
    await other.drop();
  }
});

test("a connection that a test leaves open is found, and named", async () => {
  const other = await createTestDatabase();
  const forgotten = new pg.Client({ connectionString: other.serviceUrl, application_name: "forgotten" });
  forgotten.on("error", () => {});
  await forgotten.connect();
  await forgotten.query("select 'the last one'");

  await expect(other.drop(1_000)).rejects.toThrow(
    "The tests left 1 connections open:\nforgotten, last statement: select 'the last one'",
  );
});

test("a pool that only ran statements of its own is closed as well", async () => {
  const other = await createTestDatabase();
  await other.database.pool.query("select 1");

  await other.drop();

  expect(other.database.pool.ended).toBe(true);
});

test("eventually passes with the assertion, and fails with its last error", async () => {
  let attempts = 0;

  expect(await eventually(() => (++attempts < 3 ? Promise.reject(new Error("not yet")) : "now"))).toBe("now");
  await expect(
    eventually(
      () => {
        throw new Error(`never ${++attempts > 0}`);
      },
      { timeoutMs: 50 },
    ),
  ).rejects.toThrow("never true");
});
