import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate } from "../../../src/store/database/migrator.ts";
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { describeSchema } from "../../harness/describe-schema.ts";
import { lastReleaseFixture, makeTables } from "../../upgrade/load-fixture.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

test("a database that came over from the last release has the schema of a new one", async () => {
  const upgraded = await createEmptyDatabase();
  try {
    await makeTables(lastReleaseFixture, upgraded);
    await migrate({ ownerUrl: upgraded.ownerUrl });

    expect(await schemaOf(upgraded)).toEqual(await schemaOf(db));
    // Chaining reads both into one relation, by the places of the columns.
    for (const database of [upgraded, db])
      expect(await columnsOf(database, "audited_lines")).toEqual(await columnsOf(database, "audit_entries"));
  } finally {
    await upgraded.drop();
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
  const before = await schemaOf(db);

  await db.ownerDatabase.pool.query("select skedchange.ensure_notification_partitions('2031-01-01', 2)");

  expect(await schemaOf(db)).toEqual(before);
});

async function columnsOf(database: TestDatabase, relation: string): Promise<readonly string[]> {
  const { rows } = await database.ownerDatabase.pool.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = ('skedchange.' || $1)::regclass and attnum > 0 and not attisdropped order by attnum`,
    [relation],
  );
  return rows.map(({ name }) => name);
}

async function schemaOf(database: TestDatabase): Promise<Readonly<Record<string, string>>> {
  const client = await database.ownerDatabase.pool.connect();
  try {
    return await describeSchema(client);
  } finally {
    client.release();
  }
}
