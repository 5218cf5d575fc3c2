import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { sql } from "kysely";
import pg from "pg";
import { createCaseQueries } from "../../../src/store/cases/case-queries.ts";
import { type Database, openDatabase } from "../../../src/store/database/database.ts";
import { createOverviewQueries } from "../../../src/store/overview/overview-queries.ts";
import { addOverviewHours } from "../../../src/store/overview/overview-sums.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";

/** One in fifty is open, the rest are done, spread over 90 days. Each has a decision of its own. */
const cases = 40_000;
const now = new Date();

let db: TestDatabase;
let explained: Database;
const plans: string[] = [];

beforeAll(async () => {
  db = await createTestDatabase();
  const admin = new pg.Client({ connectionString: db.adminUrl });
  await admin.connect();
  try {
    for (const statement of filling) await admin.query(statement);
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

const filling = [
  "set session_replication_role = replica",
  "set synchronous_commit = off",
  `insert into skedchange.orders (source, order_id)
   select 'source-' || n % 4, 'ORD' || upper(left(md5(n::text), 12)) || n from generate_series(1, ${cases}) n`,
  `create temp table made as
   select gen_random_uuid() as id, gen_random_uuid() as decision_id, row_number() over () as n, source, order_id
   from skedchange.orders`,
  `insert into skedchange.cases (id, source, order_id, gds_booking_references, state, opened_at, updated_at, closed_at,
     decision_id, proposal_digest, review_queue, priority, departure_at, due_by, due_at)
   select id, source, order_id, array[upper(left(md5(order_id), 6))], case when n % 50 = 0 then 'awaiting-agent' else 'done' end,
     now() - n * interval '90 days' / ${cases}, now(), case when n % 50 = 0 then null else now() end, decision_id,
     repeat('d', 64), case when n % 50 = 0 then (array['agent', 'legal'])[1 + n % 3 % 2] end, n % 10,
     now() + n % 5000 * interval '1 hour', case when n % 50 = 0 then now() + (n % 5000 + 1) * interval '1 hour' end, null
   from made`,
  `insert into skedchange.decisions (id, case_id, decided_at, decided_by, action, rule, reasons, proposal_digest, facts,
     itineraries, evaluated_at, versions)
   select decision_id, id, now() - n * interval '90 days' / ${cases}, 'policy',
     case when n % 50 = 0 then 'review' else 'accept' end, 'rule-' || n % 30,
     '[{"code": "no-rule-matched", "text": "No rule matched, so an agent decides."}]', repeat('d', 64), '{}',
     jsonb_build_object('booked', jsonb_build_object('segments', jsonb_build_array(jsonb_build_object('marketingCarrier',
       chr(65 + (n % 26)::integer) || chr(65 + (n / 26 % 10)::integer), 'text', repeat(md5(n::text), 20))))),
     now(), '{}'
   from made`,
  `insert into skedchange.case_search (case_id, ids, terms, value, currency, departure_at, name_tokens)
   select m.id, skedchange.searched_ids(c.order_id, c.gds_booking_references),
     array['airline:' || chr(65 + (n % 26)::integer) || chr(65 + (n / 26 % 10)::integer), 'rule:rule-' || n % 30,
       'flight:' || chr(65 + (n % 26)::integer) || chr(65 + (n / 26 % 10)::integer) || n % 900,
       'airport:' || upper(substr(translate(md5(n::text), '0123456789', 'ghijklmnop'), 1, 3)),
       'severity:' || (array['minor', 'major', 'critical'])[1 + n % 3]],
     n % 5000, 'EUR', c.departure_at, array[n / 3, n / 3 + ${cases}]
   from made m join skedchange.cases c on c.id = m.id`,
  "vacuum analyze skedchange.cases",
  "vacuum analyze skedchange.decisions",
  "vacuum analyze skedchange.case_search",
];

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
  ["the queue of two severities", () => read().searchCases({ ...waiting, severities: ["major", "critical"] })],
  ["a part of an id", () => read().searchCases({ ...everyCase, words: ["ORDC4CA42"] })],
  ["a flight", () => read().searchCases({ ...everyCase, words: ["AA26"] })],
  ["an airline", () => read().searchCases({ ...everyCase, words: ["AA"] })],
  ["an airport", () => read().searchCases({ ...everyCase, words: ["MEG"] })],
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
