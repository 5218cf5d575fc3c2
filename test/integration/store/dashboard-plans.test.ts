import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { sql } from "kysely";
import pg from "pg";
import { createCaseQueries } from "../../../src/store/cases/case-queries.ts";
import { createWorkCounts } from "../../../src/store/cases/work-counts.ts";
import { type Database, openDatabase } from "../../../src/store/database/database.ts";
import { createOverviewQueries } from "../../../src/store/overview/overview-queries.ts";
import { addOverviewHours } from "../../../src/store/overview/overview-sums.ts";
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
  await sql`vacuum analyze skedchange.overview_sums`.execute(db.ownerDatabase.kysely);
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

const everyCase = { visible: null, orderId: null, states: [], source: null, after: null, limit: 50 } as const;
const waiting = { ...everyCase, states: ["awaiting-agent"], order: "due" } as const;
const deep = { priority: 5, at: now.toISOString(), id: "00000000-0000-0000-0000-000000000000" };
const some = new Set(["source-1", "source-2"]);
const range = (days: number, visible: ReadonlySet<string> | null = null) => ({
  from: new Date(now.getTime() - days * 86_400_000),
  to: now,
  visible: visible === null ? null : [...visible],
  source: null,
});

const read = () => createCaseQueries(explained);
const reads: readonly (readonly [string, () => Promise<unknown>])[] = [
  ["the queue", () => read().searchCases(waiting)],
  ["a deep page of the queue", () => read().searchCases({ ...waiting, after: deep })],
  ["the queue by departure", () => read().searchCases({ ...waiting, order: "departure" })],
  ["the queue by deadline", () => read().searchCases({ ...waiting, order: "deadline" })],
  ["the queue of some sources", () => read().searchCases({ ...waiting, visible: [...some] })],
  ["the queue of legal", () => read().searchCases({ ...waiting, queue: "legal" })],
  ["the queue of one airline", () => read().searchCases({ ...waiting, airline: "AA" })],
  ["the queue of one rule", () => read().searchCases({ ...waiting, rule: "rule-10" })],
  ["the queue of overdue cases", () => read().searchCases({ ...waiting, overdue: true })],
  ["the queue of two severities", () => read().searchCases({ ...waiting, severities: ["major", "critical"] })],
  ["a part of an id", () => read().searchCases({ ...everyCase, words: ["ORDC4CA42"] })],
  ["a flight", () => read().searchCases({ ...everyCase, words: ["AA26"] })],
  ["an airline", () => read().searchCases({ ...everyCase, words: ["AA"] })],
  ["an airport", () => read().searchCases({ ...everyCase, words: ["MEG"] })],
  ["a name", () => read().searchCases({ ...everyCase, words: ["Smith"], searchNames: true })],
  ["what is open now", () => createOverviewQueries(explained).readOpenWork({ visible: null, source: null }, now)],
  ["the counts in the bar of pages", () => createWorkCounts(explained)("person:ann", null)],
  ["the overview of 1 day", () => createOverviewQueries(explained).readSums(range(1))],
  ["the overview of 7 days", () => createOverviewQueries(explained).readSums(range(7))],
  ["the overview of 30 days", () => createOverviewQueries(explained).readSums(range(30))],
  ["the overview of 90 days, of some sources", () => createOverviewQueries(explained).readSums(range(90, some))],
];

test.each(reads)("%s reads no large table whole", async (_, run) => {
  plans.length = 0;

  await run();

  expect(plans.length).toBeGreaterThan(0);
  const scanned = plans.flatMap((plan) => plan.match(/Seq Scan on (cases|decisions|case_search)\b/g) ?? []);
  expect(scanned).toEqual([]);
});
