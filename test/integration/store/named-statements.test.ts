import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../../src/store/database/sql.ts";
import { pipelined } from "../../../src/store/database/transaction.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";

let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

/** On one connection, as PostgreSQL knows them. */
async function preparedOn(work: (select: (text: string) => Promise<unknown>) => Promise<void>): Promise<string[]> {
  return await pipelined(db.database, async (connection) => {
    await work((text) => sql`select ${sql.raw(text)}, ${"a parameter"}::text`.execute(connection));
    const { rows } = await sql<{ statement: string }>`
      select statement from pg_prepared_statements where statement like 'select %named%' order by prepare_time
    `.execute(connection);
    return rows.map(({ statement }) => statement);
  });
}

test("a statement is parsed once for a connection, however often it runs", async () => {
  const statements = await preparedOn(async (select) => {
    for (let time = 1; time <= 3; time += 1) await select("1 as named_once");
    await select("2 as named_other");
  });

  expect(statements).toEqual(["select 1 as named_once, $1::text", "select 2 as named_other, $1::text"]);
});

test("a statement that fails can be run again on the same connection", async () => {
  const statements = await preparedOn(async (select) => {
    await expect(select("1 / 0 as named_failing")).rejects.toMatchObject({ code: "22012" });
    await expect(select("1 / 0 as named_failing")).rejects.toMatchObject({ code: "22012" });
    await expect(select("nothing_here as named_unknown")).rejects.toMatchObject({ code: "42703" });
    await expect(select("nothing_here as named_unknown")).rejects.toMatchObject({ code: "42703" });
    await select("1 as named_after");
  });

  expect(statements.at(-1)).toBe("select 1 as named_after, $1::text");
});
