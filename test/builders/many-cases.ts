import type pg from "pg";

/** When the newest of the cases was opened; the others came before it, spread over 90 days. */
const days = 90;

/**
 * Fills a database with so many cases in four sources, each with a decision of its own and what it is found by. One in fifty
 * waits for an agent, of all ages; the rest are done. Triggers and checks of keys are off meanwhile, so that a million take
 * minutes. The connection must be of the superuser, and is one nobody else uses.
 * @param name tokens of a name that a traveller of one case in 500 has
 */
export async function fillWithCases(client: pg.Client, count: number, name: readonly string[] = []): Promise<void> {
  for (const statement of statements(count, name)) await client.query(statement);
}

/** The first two letters of flight `n`. */
const airline = "chr(65 + (n % 26)::integer) || chr(65 + (n / 26 % 10)::integer)";

const rule = "('rule-' || n % 30)";
const severity = "(array['minor', 'major', 'critical'])[1 + n % 3]";

function statements(count: number, name: readonly string[]): readonly string[] {
  const openedAt = `now() - n * interval '${days} days' / ${count}`;
  // As the product makes them, ids grow with time.
  const idOf = (kind: string) =>
    `(lpad(to_hex((extract(epoch from ${openedAt}) * 1000)::bigint), 12, '0') || '7' || right(md5(n || '${kind}'), 19))::uuid`;
  return [
    "set session_replication_role = replica",
    "set synchronous_commit = off",
    `create temp table made as
     select ${idOf("case")} as id, ${idOf("decision")} as decision_id, n, 'source-' || n % 4 as source,
       'ORD' || upper(left(md5(n::text), 12)) || n as order_id, n % 50 = 0 as is_open
     from generate_series(1, ${count}) n order by n desc`,
    "insert into skedchange.orders (source, order_id) select source, order_id from made",
    `insert into skedchange.cases (id, source, order_id, gds_booking_references, state, opened_at, updated_at, closed_at,
       decision_id, rule, severity, proposal_digest, review_queue, priority, departure_at, due_by)
     select id, source, order_id, array[upper(left(md5(order_id), 6))], case when is_open then 'awaiting-agent' else 'done' end,
       ${openedAt}, now(), case when not is_open then now() end, decision_id, ${rule}, ${severity},
       repeat('d', 64), case when is_open then (array['agent', 'legal'])[1 + n % 3 % 2] end, n % 10,
       now() + n % 5000 * interval '1 hour', case when is_open then now() + (n % 5000 - 50) * interval '1 hour' end
     from made order by n desc`,
    `insert into skedchange.decisions (id, case_id, decided_at, decided_by, action, rule, reasons, proposal_digest, facts,
       itineraries, evaluated_at, versions)
     select decision_id, id, ${openedAt}, 'policy', case when is_open then 'review' else 'accept' end, ${rule},
       '[{"code": "no-rule-matched", "text": "No rule matched, so an agent decides."}]', repeat('d', 64), '{}',
       jsonb_build_object('booked', jsonb_build_object('segments', jsonb_build_array(jsonb_build_object('marketingCarrier',
         ${airline}, 'text', repeat(md5(n::text), 20))))),
       now(), '{}'
     from made order by n desc`,
    `insert into skedchange.case_search (case_id, ids, terms, value, currency, departure_at, name_tokens)
     select m.id, skedchange.searched_ids(c.order_id, c.gds_booking_references),
       array['airline:' || ${airline}, 'rule:' || ${rule}, 'reason:no-rule-matched', 'flight:' || ${airline} || n % 900,
         'airport:' || upper(substr(translate(md5(n::text), '0123456789', 'ghijklmnop'), 1, 3)),
         'severity:' || ${severity}],
       n % 5000, 'EUR', c.departure_at, array[n / 3, n / 3 + ${count}] || case when n % 500 = 0 then '{${name.join(",")}}'::bigint[] end
     from made m join skedchange.cases c on c.id = m.id order by n desc`,
    ...["orders", "cases", "decisions", "case_search"].map((table) => `vacuum analyze skedchange.${table}`),
    "drop table made",
  ];
}
