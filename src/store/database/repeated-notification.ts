import { bodyDeletion } from "./body-deletion.ts";
import { bodyEncodings } from "./encryption.ts";
import { type Sql, sql } from "./sql.ts";

/**
 * Joins, as `a`, the notification that view `view` was compressed against. Whoever opens the view selects `repeatedColumns` as
 * well. The row of its case names the partition.
 */
export function joinRepeated(view: string): Sql {
  return sql`left join lateral (
    select n.id, n.body, n.body_encoding, n.key_id, n.body_deleted_at, n.body_deleted_by
    from skedchange.case_notifications j
    join skedchange.notifications n on n.received_at = j.notification_received_at and n.id = j.notification_id
    where j.case_id = ${sql.ref(`${view}.case_id`)} and j.notification_id = ${sql.ref(`${view}.compressed_against`)}
  ) a on true`;
}

/** What `EncryptedRow` has of the notification. */
export const repeatedColumns = sql`a.id as "againstId", a.body as "againstBody", a.body_encoding as "againstEncoding",
  a.key_id as "againstKeyId"`;

/** Whether what the view repeats is still stored, if anything. */
export const isRepeatedStored = sql`a.body_deleted_at is null`;

/**
 * When the body of a view was deleted and why; null if it is there, or there was none. A view cannot be read without the body of
 * its notification, so it counts as deleted with that.
 */
export function viewDeletion(column: "body" | "answer", view: string): Sql {
  const encoding = sql.ref(`${view}.${column}_encoding`);
  return sql`coalesce(${bodyDeletion(column, `${view}.`)},
    case when ${encoding} = ${sql.lit(bodyEncodings.againstNotification)} then ${bodyDeletion("body", "a.")} end)`;
}
