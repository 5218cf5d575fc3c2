import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "../../../src/store/database/database.ts";
import { sql } from "../../../src/store/database/sql.ts";
import { inTransaction } from "../../../src/store/database/transaction.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";

let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

test("a connection that is cut in the middle of a transaction rejects it, and the process lives on", async () => {
  const errors: unknown[] = [];
  const database = openDatabase({
    url: db.serviceUrl,
    applicationName: "cut",
    maxConnections: 1,
    onError: (error) => errors.push(error),
  });

  const cut = inTransaction(database, async (transaction) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction);
    await db.ownerDatabase.pool.query("select 1");
    await terminate(rows[0]?.pid ?? 0);
    await sql`select pg_sleep(5)`.execute(transaction);
  });

  await expect(cut).rejects.toThrow(/terminat|connection|ECONNRESET|EPIPE/);
  const { rows } = await sql<{ one: number }>`select 1 as one`.execute(database.connection);
  expect(rows).toEqual([{ one: 1 }]);
  expect(errors.length).toBeGreaterThan(0);
  await database.close();
});

test("closing ends every connection, also those that only the pool has used", async () => {
  const database = openDatabase({ url: db.serviceUrl, applicationName: "used", maxConnections: 2, onError: () => {} });
  await database.pool.query("select 1");

  await database.close();

  expect(database.pool.totalCount).toBe(0);
});

async function terminate(pid: number): Promise<void> {
  const admin = openDatabase({ url: db.adminUrl, applicationName: "admin", maxConnections: 1, onError: () => {} });
  await admin.pool.query("select pg_terminate_backend($1)", [pid]);
  await admin.close();
}
