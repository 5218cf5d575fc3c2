import type { RecipientTraffic } from "../../sender/ports.ts";
import { sql } from "../database/sql.ts";
import type { Connection } from "../database/transaction.ts";
import type { DeliveryTables } from "./delivery-tables.ts";

/** A recipient that works acknowledges within seconds. */
const lateAfterMs = 60_000;

/** Omits removed recipients; the busiest first. */
export async function readTraffic(
  connection: Connection,
  tables: DeliveryTables,
  { since, now }: { readonly since: Date; readonly now: Date },
): Promise<readonly RecipientTraffic[]> {
  const { rows } = await sql<RecipientTraffic>`
    with waiting as (
      select recipient_id, count(*) as pending, min(created_at) as oldest,
        count(*) filter (where created_at < ${new Date(now.getTime() - lateAfterMs)}) as late
      from ${tables.deliveries} where state = 'pending' group by recipient_id
    ), ended as (
      select recipient_id, count(*) filter (where state = 'delivered') as delivered,
        count(*) filter (where state = 'superseded') as superseded, 0 as dead
      from ${tables.deliveries} where state in ('delivered', 'superseded') and finished_at >= ${since}
      group by recipient_id
      union all
      select recipient_id, 0, 0, count(*) from ${tables.deliveries}
      where state = 'dead' and finished_at >= ${since} group by recipient_id
    ), sums as (
      select recipient_id, sum(delivered)::bigint as delivered, sum(superseded)::bigint as superseded,
        sum(dead)::bigint as dead
      from ended group by recipient_id
    )
    select r.id as "recipientId", coalesce(w.pending, 0) as pending, w.oldest as "oldestPendingAt",
      coalesce(w.late, 0) as late, coalesce(s.delivered, 0) as delivered, coalesce(s.superseded, 0) as superseded, coalesce(s.dead, 0) as dead
    from ${tables.recipients} r
    left join waiting w on w.recipient_id = r.id
    left join sums s on s.recipient_id = r.id
    where r.state <> 'removed'
    order by coalesce(w.pending, 0) desc, coalesce(s.dead, 0) desc, r.id desc`.execute(connection);
  return rows;
}
