import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { describeSchema, describeTables } from "../../../src/store/database/schema-catalogue.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

async function read(name: string): Promise<string> {
  return readFile(new URL(`../../../src/store/${name}`, import.meta.url), "utf8");
}

/** The formatter decides about white space and line breaks; everything else must be the same. */
function withoutLayout(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replace(/([=:]) \| /g, "$1 ")
    .trim();
}

test("schema.sql and tables.ts are what the migrations make (if not, run `npm run generate`)", async () => {
  const client = await db.ownerDatabase.pool.connect();
  try {
    expect(await describeSchema(client)).toBe(await read("schema.sql"));
    expect(withoutLayout(await describeTables(client))).toBe(withoutLayout(await read("database/tables.ts")));
  } finally {
    client.release();
  }
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
