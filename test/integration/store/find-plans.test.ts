import { afterAll, beforeAll, expect, test } from "vitest";
import type { CaseSelection } from "../../../src/dashboard/case-filter-ports.ts";
import { createEncryption } from "../../../src/store/database/encryption.ts";
import { sql } from "../../../src/store/database/sql.ts";
import { notificationTables } from "../../../src/store/deliveries/delivery-tables.ts";
import { deliveriesThatFit } from "../../../src/store/deliveries/recipients.ts";
import { casesMatching } from "../../../src/store/search/cases-matching.ts";
import { tokensOfWord } from "../../../src/store/search/name-tokens.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";

const encryption = createEncryption([]);
let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
  const { connection } = db.ownerDatabase;
  await sql`
    insert into skedchange.orders (source, order_id) select 'default', 'ORD' || md5(n::text) from generate_series(1, 20000) n
  `.execute(connection);
  await sql`
    insert into skedchange.cases (id, source, order_id, gds_booking_references, state, opened_at, updated_at)
    select gen_random_uuid(), source, order_id, array[left(md5(order_id), 6)], 'received', now(), now() from skedchange.orders
  `.execute(connection);
  await sql`
    update skedchange.case_search set name_tokens = array[hashtext(ids), hashtext(ids) + 1]::bigint[],
      terms = array['airline:' || chr(65 + abs(hashtext(ids)) % 26) || left(md5(ids), 1), 'route:' || left(md5(ids), 3)],
      value = abs(hashtext(ids)) % 5000, currency = 'EUR', departure_at = now() + abs(hashtext(ids)) % 500000 * interval '1 minute'
  `.execute(connection);
  await sql`vacuum analyze skedchange.case_search`.execute(connection);
  await sql`analyze skedchange.cases`.execute(connection);
}, 60_000);
afterAll(() => db.drop());

test.each<[string, string, Partial<CaseSelection>]>([
  ["part of an OrderID", "case_search_by_ids", { words: ["c4ca42"] }],
  ["a name", "case_search_by_name", { words: ["mueller"] }],
  ["an airline", "case_search_by_terms", { airline: "Q7" }],
  ["a route", "case_search_by_terms", { route: "FRA-JFK" }],
  ["a value", "case_search_by_value", { value: { currency: "EUR", min: "4990" } }],
  ["a departure", "case_search_by_departure", { departsBefore: new Date(Date.now() + 3_600_000).toISOString() }],
  ["an assignee", "cases_by_assignee", { assignee: { actor: "person:ann" } }],
  ["a queue", "cases_by_queue", { queue: "legal" }],
])("a search by %s uses the index %s", async (_, index, selection) => {
  const { ctes, from, where } = casesMatching((word) => tokensOfWord(encryption, word), {
    visible: null,
    ...selection,
  });

  const { rows } = await sql<{ "QUERY PLAN": string }>`
    explain ${ctes} page as (select c.id from ${from} where ${where}) select id from page
  `.execute(db.ownerDatabase.connection);

  expect(rows.map((row) => row["QUERY PLAN"]).join("\n")).toContain(index);
});

test("a search for deliveries by the beginning of an order id that none has uses its index, in a plan for any beginning", async () => {
  const { connection } = db.ownerDatabase;
  await sql`
    with recipient as (
      insert into gateway.recipients
        (id, name, url, auth_type, credential, credential_encoding, ordering, acknowledgement, deadline_ms, lanes_max, state_changed_at, created_at, updated_at)
      values (gen_random_uuid(), 'A', 'https://a.example', 'bearer', '', 'gzip', 'latest', 'required', 1000, 1, now(), now(), now())
      returning id
    ), bodies as (
      insert into gateway.ocn_bodies
        (id, change_id, order_id, airline, publish_key, digest, body, body_encoding, body_bytes, created_at)
      select gen_random_uuid(), n, 'ORD' || n, 'LH', n, sha256(''), '', 'gzip', 1, now() from generate_series(1, 20000) n
      returning id, order_id
    ), lanes as (
      insert into gateway.lanes (recipient_id, order_id) select recipient.id, order_id from recipient, bodies
    )
    insert into gateway.deliveries (id, ocn_id, recipient_id, order_id, due_at, created_at)
    select gen_random_uuid(), bodies.id, recipient.id, order_id, now(), now() from recipient, bodies
  `.execute(connection);
  await sql`analyze gateway.deliveries`.execute(connection);
  const listed = sql`
    select d.id from gateway.deliveries d join gateway.ocn_bodies b on b.id = d.ocn_id
    where ${deliveriesThatFit(notificationTables, { orderId: "ABSENT*" })} order by d.position desc limit 51`;
  const { text, values } = listed;

  const client = await db.ownerDatabase.pool.connect();
  try {
    await client.query("set plan_cache_mode = force_generic_plan");
    await client.query(`prepare listing as ${text}`);
    const literals = values.map((value) => client.escapeLiteral(String(value))).join(", ");
    const { rows } = await client.query<{ "QUERY PLAN": string }>(`explain execute listing(${literals})`);
    expect(rows.map((row) => row["QUERY PLAN"]).join("\n")).toContain("deliveries_by_order_beginning");
  } finally {
    client.release(true);
  }
});
