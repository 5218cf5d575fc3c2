import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { inTransaction } from "../database/transaction.ts";

const batchSize = 1_000;

/**
 * Makes cases findable that were opened before `case_search` was there, the newest first, one batch in one transaction,
 * which also moves the mark. A kill undoes both, and another process that does the same meanwhile is left alone. They are
 * found by ids, flights, and the decision in force; by more once they are decided again.
 * @returns whether more may be left
 */
export async function addOlderCases(database: Database): Promise<boolean> {
  return await inTransaction(database, async (transaction) => {
    const { rows: marks } = await sql<{ before_id: string }>`
      select before_id from skedchange.case_search_backlog for update skip locked`.execute(transaction);
    const [mark] = marks;
    if (mark === undefined) return false;
    const { rows } = await sql<{ id: string }>`
      with older as materialized (
        select c.id, c.order_id, c.gds_booking_references, c.flight_dates, c.departure_at, c.decision_id
        from skedchange.cases c where c.id < ${mark.before_id}::uuid order by c.id desc limit ${batchSize}
      ), added as (
        insert into skedchange.case_search (case_id, ids, terms, departure_at)
        select o.id, skedchange.searched_ids(o.order_id, o.gds_booking_references), array(
            select 'touches:' || part from unnest(o.flight_dates) as touched,
              unnest(array[touched, split_part(touched, '/', 1), split_part(touched, '/', 2)]) as part
            union select 'flight:' || split_part(touched, '/', 1) from unnest(o.flight_dates) as touched
            union select 'airline:' || left(touched, 2) from unnest(o.flight_dates) as touched
            union select 'rule:' || d.rule where d.rule is not null
            union select 'reason:' || code from unnest(array[d.question, d.reasons #>> '{0,code}']) as code
              where code is not null
          ), o.departure_at
        from older o left join skedchange.decisions d on d.id = o.decision_id
        on conflict (case_id) do nothing
      )
      select id from older order by id`.execute(transaction);
    await (rows.length < batchSize
      ? sql`delete from skedchange.case_search_backlog`
      : sql`update skedchange.case_search_backlog set before_id = ${rows[0]!.id}::uuid`
    ).execute(transaction);
    return rows.length === batchSize;
  });
}
