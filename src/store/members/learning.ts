import type { OrderKey } from "../../cases/order-context.ts";
import { isNotTakenOver, requeueCases } from "../cases/requeue-cases.ts";
import { sql } from "../database/sql.ts";
import type { Connection } from "../database/transaction.ts";
import { memberChannel } from "./member-marks.ts";
import { followedWithinSeconds } from "./waiting-cases.ts";

/** Begins it for sources of which nothing was decided yet. The others are stored as having ended it. */
export async function beginLearning(connection: Connection, sources: readonly string[], at: Date): Promise<void> {
  await sql`
    insert into skedchange.source_learning (source, began_at, ended_at)
    select s, ${at}::timestamptz, case when exists (
      select from skedchange.cases c join skedchange.decisions d on d.case_id = c.id where c.source = s
    ) then ${at}::timestamptz end
    from unnest(${[...sources]}::text[]) as s
    on conflict (source) do nothing
  `.execute(connection);
}

/** The sources that have not ended it, with how many orders each has observed. */
export async function countLearned(connection: Connection): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ source: string; observed: number }>`
    select l.source, (
      select count(*)::integer from skedchange.learning_orders o where o.source = l.source
    ) as observed
    from skedchange.source_learning l where l.ended_at is null
  `.execute(connection);
  return new Map(rows.map(({ source, observed }) => [source, observed]));
}

/** An order of a source that learns was observed. */
export async function storeLearned(connection: Connection, { source, orderId }: OrderKey): Promise<void> {
  await sql`
    with added as (
      insert into skedchange.learning_orders (source, order_id)
      select source, ${orderId}::text from skedchange.source_learning where source = ${source} and ended_at is null
      on conflict (source, order_id) do nothing
      returning source
    )
    select pg_notify(${memberChannel}, '') from added
  `.execute(connection);
}

export async function endLearning(connection: Connection, source: string, at: Date): Promise<void> {
  await sql`
    update skedchange.source_learning set ended_at = ${at} where source = ${source} and ended_at is null
  `.execute(connection);
}

/**
 * Makes the cases due that were only asked about because one of these sources was learning, once its learning has ended,
 * unless somebody has taken them over; returns how many. Runs repeatedly: see `requeueCases`.
 * @param withoutLearning sources whose learning counts as ended, whatever is stored
 */
export async function requeueAfterLearning(
  connection: Connection,
  sources: readonly string[],
  withoutLearning: readonly string[] = [],
): Promise<number> {
  return await requeueCases(connection, {
    state: "awaiting-agent",
    afterSeconds: followedWithinSeconds,
    such: sql`
      select c.id, c.decision_id, c.source, c.order_id
      from skedchange.source_learning l
      join skedchange.cases c on c.source = l.source and c.state = 'awaiting-agent' and c.rule = 'check:learning'
      join skedchange.decisions d on d.id = c.decision_id and d.decided_by = 'policy'
      where l.source = any(${[...sources]}::text[]) and c.due_at is null
        and (l.ended_at is not null or l.source = any(${[...withoutLearning]}::text[])) and ${isNotTakenOver}
    `,
  });
}
