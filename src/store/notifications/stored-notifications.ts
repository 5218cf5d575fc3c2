import { sql } from "kysely";
import type { VisibleSources } from "../../cases/visible-sources.ts";
import { deletedEncoding } from "../database/body-deletion.ts";
import type { Database } from "../database/database.ts";
import type { EncryptedRow } from "../database/encryption.ts";
import { isOfVisibleSource } from "../database/visible-rows.ts";
import { notificationPlace } from "./notification-reader.ts";

export interface StoredNotification {
  readonly id: string;
  readonly source: string;
  readonly receivedAt: Date;
  readonly body: Buffer;
  readonly bodyEncoding: string;
  readonly keyId: string | null;
}

/** The body is null if it was deleted. @throws `store.cannot_open` */
export async function readNotificationBody(
  { kysely, encryption }: Pick<Database, "kysely" | "encryption">,
  id: string,
  visible: VisibleSources,
): Promise<{ readonly state: string; readonly body: Buffer | null } | null> {
  const { rows } = await sql<EncryptedRow & { id: string; state: string }>`
    select id, state, body, body_encoding as "bodyEncoding", key_id as "keyId"
    from skedchange.notifications where id = ${id}::uuid and ${isOfVisibleSource(sql`source`, visible)}
  `.execute(kysely);
  const [row] = rows;
  if (row === undefined) return null;
  const isDeleted = row.bodyEncoding === deletedEncoding;
  return { state: row.state, body: isDeleted ? null : await encryption.open(row, notificationPlace(row.id)) };
}

export interface NotificationRange {
  readonly since: Date | null;
  /** Exclusive. */
  readonly until: Date | null;
  readonly source: string | null;
}

export async function countNotifications(
  { kysely }: Pick<Database, "kysely">,
  range: NotificationRange,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from skedchange.notifications n where ${inRange(range)}
  `.execute(kysely);
  return rows[0]!.count;
}

/** Those whose bodies are still stored, oldest first. Each batch is a statement that starts after the last row, so neither memory nor transactions grow. */
export async function* readNotifications(
  { kysely }: Pick<Database, "kysely">,
  range: NotificationRange,
  batchSize: number,
): AsyncGenerator<readonly StoredNotification[]> {
  let after: { position: string; id: string } | null = null;
  for (;;) {
    const isAfter: ReturnType<typeof sql> =
      after === null ? sql`true` : sql`(n.received_at, n.id) > (${after.position}::timestamptz, ${after.id}::uuid)`;
    const { rows } = await sql<StoredNotification & { position: string }>`
      select n.id, n.source, n.received_at as "receivedAt", n.body, n.body_encoding as "bodyEncoding",
        n.key_id as "keyId",
        to_char(n.received_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as position
      from skedchange.notifications n
      where ${isAfter} and ${inRange(range)}
      order by n.received_at, n.id
      limit ${batchSize}
    `.execute(kysely);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    if (rows.length < batchSize) return;
    after = { position: last.position, id: last.id };
  }
}

function inRange({ since, until, source }: NotificationRange) {
  return sql`n.state in ('accepted', 'released') and n.body_deleted_at is null
    and ${since === null ? sql`true` : sql`n.received_at >= ${since}`}
    and ${until === null ? sql`true` : sql`n.received_at < ${until}`}
    and ${source === null ? sql`true` : sql`n.source = ${source}`}`;
}
