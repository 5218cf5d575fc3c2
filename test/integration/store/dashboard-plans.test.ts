import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Database, openDatabase } from "../../../src/store/database/database.ts";
import { sql } from "../../../src/store/database/sql.ts";
import { addOverviewHours } from "../../../src/store/overview/overview-sums.ts";
import { dashboardReads } from "../../builders/dashboard-reads.ts";
import { fillWithCases } from "../../builders/many-cases.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";

const cases = 100_000;
const now = new Date();

let db: TestDatabase;
let explained: Database;
const plans: string[] = [];

beforeAll(async () => {
  db = await createTestDatabase();
  const admin = new pg.Client({ connectionString: db.adminUrl });
  await admin.connect();
  try {
    await fillWithCases(admin, cases);
    const { rows } = await admin.query<{ name: string }>("select current_database() as name");
    for (const setting of [
      "session_preload_libraries = 'auto_explain'",
      "auto_explain.log_min_duration = 0",
      "auto_explain.log_nested_statements = off",
      "client_min_messages = log",
    ]) {
      await admin.query(`alter database ${rows[0]!.name} set ${setting}`);
    }
  } finally {
    await admin.end();
  }
  while (await addOverviewHours(db.database, { now: () => now }));
  await sql`vacuum analyze skedchange.overview_sums`.execute(db.ownerDatabase.connection);
  explained = openDatabase({
    url: db.serviceUrl,
    applicationName: "explained",
    maxConnections: 4,
    encryptionKeys: [],
    onError: () => {},
  });
  explained.pool.on("connect", (client) => {
    client.on("notice", ({ message }) => plans.push(message ?? ""));
  });
}, 120_000);
afterAll(async () => {
  await explained.close();
  await db.drop();
});

test.each(Object.entries(dashboardReads(now)))("%s: reads no large table whole", async (_, read) => {
  plans.length = 0;

  await read(explained);

  expect(plans.length).toBeGreaterThan(0);
  const scanned = plans.flatMap((plan) => plan.match(/Seq Scan on (cases|decisions|case_search)\b/g) ?? []);
  expect(scanned).toEqual([]);
});
