import { type RawBuilder, sql } from "kysely";
import { finishedStates } from "../cases/states.ts";

/** Of a notification `n`: it was acknowledged as one that somebody works on. */
export const isAcknowledged = sql<boolean>`n.state in ('accepted', 'released')`;

/** No case belongs to a notification, because it was never opened or because that was lost. */
export function hasNoCase(notificationId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`not exists (select from skedchange.case_notifications j where j.notification_id = ${notificationId})`;
}

/** The digest `g` of a notification `n` that is pending. */
export const pendingDigest = sql`skedchange.notification_digests g on g.notification_id = n.id and g.pending_since is not null`;

/**
 * Of a notification `n` and its digest `g`: nobody has looked at its orders. Opening and waking their cases takes a fraction of
 * a second, so one that is pending for 10 s waits in vain.
 */
export const isUnattended = sql<boolean>`(case
  when g.pending_since is null then ${hasNoCase(sql`n.id`)}
  else g.pending_since <= now() - interval '10 seconds'
end)`;

/** Of a case `c`: work is left on it. */
export const isUnfinished = sql<boolean>`c.state not in ${finishedStates}`;

/** Of a case `c`: work is left, but it is due at no time, and no person and no traveller sees it waiting. */
export const isWithoutProgress = sql<boolean>`(c.due_at is null and ${isUnfinished}
  and c.state not in ('awaiting-agent', 'awaiting-traveller'))`;
