import { type RawBuilder, sql } from "kysely";
import { finishedStates, waitingStates } from "../cases/states.ts";

/** Of notification `n`: acknowledged, with work to do. */
export const isAcknowledged = sql<boolean>`n.state in ('accepted', 'released')`;

/** Whether a notification has no case, because it was never opened or was lost. */
export function hasNoCase(notificationId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`not exists (select from skedchange.case_notifications j where j.notification_id = ${notificationId})`;
}

export const pendingDigest = sql`skedchange.notification_digests g on g.notification_id = n.id and g.pending_since is not null`;

/** Of notification `n` and digest `g`: pending for 10 s, although opening cases takes a fraction of a second. */
export const isUnattended = sql<boolean>`(case
  when g.pending_since is null then ${hasNoCase(sql`n.id`)}
  else g.pending_since <= now() - interval '10 seconds'
end)`;

export const isUnfinished = sql<boolean>`c.state not in ${finishedStates}`;

/** Of case `c`: unfinished, without a due time, and not visibly waiting for a person or a traveller. */
export const isWithoutProgress = sql<boolean>`(c.due_at is null and ${isUnfinished}
  and c.state not in ${waitingStates})`;
