import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { describeSchema } from "../../../scripts/describe-schema.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

test("schema.sql is what the migrations make (if not, run `npm run generate`)", async () => {
  const client = await db.ownerDatabase.pool.connect();
  try {
    const schema = await readFile(new URL("../../../src/store/schema.sql", import.meta.url), "utf8");
    expect(await describeSchema(client)).toBe(schema);
  } finally {
    client.release();
  }
});

// Nearly every commit of a worker runs triggers, and commits with a message wait for the sync of each other.
test("no function of the schema sends a message of NOTIFY", async () => {
  const { rows } = await db.ownerDatabase.pool.query(
    `select p.proname from pg_proc p where p.pronamespace = 'skedchange'::regnamespace and p.prosrc ~* 'notify\\('`,
  );
  expect(rows).toEqual([]);
});

test("monthly partitions, which come with time, are not in the description", async () => {
  const client = await db.ownerDatabase.pool.connect();
  try {
    const before = await describeSchema(client);

    await client.query("select skedchange.ensure_notification_partitions('2031-01-01', 2)");

    expect(await describeSchema(client)).toBe(before);
  } finally {
    client.release();
  }
});
