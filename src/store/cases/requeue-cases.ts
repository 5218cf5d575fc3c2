import { type Sql, sql } from "../database/sql.ts";
import type { Connection } from "../database/transaction.ts";
import { announceDue } from "./case-rows.ts";
import { decisionEventOf } from "./effect-snapshot.ts";

/** Whether event `h` of a case shows that a person took the case over, not only asked for another status read. */
export const takesOver = sql`(
  h.actor like 'person:%' and h.kind not in ('case.recheck_asked', 'notification.replayed', 'order.imported')
)`;

/** Whether nobody has taken case `c` over since its decision `d`. */
export const isNotTakenOver = sql`not exists (
  select from skedchange.case_events h
  where h.case_id = c.id and ${takesOver} and h.id > ${decisionEventOf(sql`d`)}
)`;

interface Requeueing {
  readonly state: "awaiting-agent" | "checking";
  /** The statement that selects `id`, `decision_id`, `source` and `order_id` of cases. */
  readonly such: Sql;
  /** So that every process follows first what has changed. Default: at once. */
  readonly afterSeconds?: number;
}

/**
 * Makes such cases due that are in this state; returns how many. Skips locked orders, and those that a worker decides at
 * this moment by what was in force before: run it again until nothing is left.
 */
export async function requeueCases(
  connection: Connection,
  { state, such, afterSeconds = 0 }: Requeueing,
): Promise<number> {
  const { rowCount } = await sql`
    with such as (${such}), locked as materialized (
      select such.id, such.decision_id from such
      join skedchange.orders o on o.source = such.source and o.order_id = such.order_id
      for no key update of o skip locked
    )
    update skedchange.cases c
    set due_at = now() + make_interval(secs => ${sql.lit(afterSeconds)}), wake = c.wake + 1
    from locked
    where c.id = locked.id and c.decision_id = locked.decision_id and c.state = ${state}
  `.execute(connection);
  if (rowCount > 0) await announceDue(connection);
  return rowCount;
}
