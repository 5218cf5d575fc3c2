import type { Reconciliation } from "../../dashboard/reconciliation-ports.ts";
import { finishedStates, waitingStates } from "../cases/states.ts";
import { type Sql, sql } from "../database/sql.ts";
import type { Connection } from "../database/transaction.ts";

/** Whether notification `n` is acknowledged and has work to do. */
export const isAcknowledged = sql<boolean>`n.state in ('accepted', 'released')`;

/** Whether a notification has no case, because it was never opened or was lost. */
export function hasNoCase(notificationId: Sql): Sql<boolean> {
  return sql`not exists (select from skedchange.case_notifications j where j.notification_id = ${notificationId})`;
}

export const pendingDigest = sql`skedchange.notification_digests g on g.notification_id = n.id and g.pending_since is not null`;

/** Whether notification `n` with digest `g` is pending for 10 s, although to open cases takes a fraction of one. */
export const isUnattended = sql<boolean>`(case
  when g.pending_since is null then ${hasNoCase(sql`n.id`)}
  else g.pending_since <= now() - interval '10 seconds'
end)`;

export const isUnfinished = sql<boolean>`c.state not in ${finishedStates}`;

/** Whether case `c` is unfinished, without a due time, and not visibly waiting for a person or a traveller. */
export const isWithoutProgress = sql<boolean>`(c.due_at is null and ${isUnfinished}
  and c.state not in ${waitingStates})`;

/**
 * Design, invariant 1: a case makes progress if it is finished, visibly waits for a person or the traveller, or has a
 * due time. A notification is unattended if it has no case, or a case without progress.
 * @param idsMax limits the ids, not the counts
 */
export async function countUnattended(reading: Connection, idsMax: number): Promise<Omit<Reconciliation, "damage">> {
  const found = (which: string) => sql`jsonb_build_object(
    'count', count(*) filter (where ${sql.ref(which)}),
    'notificationIds', array(
      select id from by_notification where ${sql.ref(which)} order by received_at, id limit ${idsMax}
    )
  )`;
  const { rows } = await sql<Omit<Reconciliation, "damage">>`
    with standing as (
      select n.id, n.received_at,
        g.pending_since is not null as pending,
        ${isUnattended} as without_case,
        j.case_id is not null and ${isWithoutProgress} as without_progress
      from skedchange.notifications n
      left join ${pendingDigest}
      left join skedchange.case_notifications j on j.notification_id = n.id
      left join skedchange.cases c on c.id = j.case_id
      where ${isAcknowledged}
    ),
    by_notification as (
      select id, received_at, bool_or(pending) as pending, bool_or(without_case) as without_case,
        bool_or(without_progress) as without_progress
      from standing
      group by id, received_at
    )
    select
      count(*) as examined,
      count(*) filter (where pending) as pending,
      ${found("without_case")} as "withoutCase",
      ${found("without_progress")} as "withoutProgress"
    from by_notification
  `.execute(reading);
  return rows[0]!;
}
