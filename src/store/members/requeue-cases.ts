import { type RawBuilder, sql } from "kysely";
import { announceDue } from "../cases/case-rows.ts";
import type { Connection } from "../database/transaction.ts";

/** By when every process follows what has changed for a source. */
const followedWithinSeconds = 1;

/**
 * Makes such cases due that wait for a person, a moment later; returns how many. Skips locked orders, and what a worker
 * decides at this moment by what was in force before: run again until nothing is left.
 * @param such the statement that selects `id`, `decision_id`, `source` and `order_id` of cases
 */
export async function requeueCases(connection: Connection, such: RawBuilder<unknown>): Promise<number> {
  const requeued = await sql`
    with such as (${such}), locked as materialized (
      select such.id, such.decision_id from such
      join skedchange.orders o on o.source = such.source and o.order_id = such.order_id
      for no key update of o skip locked
    )
    update skedchange.cases c set due_at = now() + ${sql.lit(`${followedWithinSeconds} s`)}::interval, wake = c.wake + 1
    from locked
    where c.id = locked.id and c.decision_id = locked.decision_id and c.state = 'awaiting-agent'
  `.execute(connection);
  const count = Number(requeued.numAffectedRows);
  if (count > 0) await announceDue(connection);
  return count;
}
