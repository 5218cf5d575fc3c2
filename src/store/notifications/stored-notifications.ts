import type { VisibleSources } from "../../cases/visible-sources.ts";
import { deletedEncoding } from "../database/body-deletion.ts";
import type { Database } from "../database/database.ts";
import type { EncryptedRow } from "../database/encryption.ts";
import { sql } from "../database/sql.ts";
import { isOfVisibleSource } from "../database/visible-rows.ts";
import { notificationPlace } from "./notification-reader.ts";

export interface StoredNotification extends EncryptedRow {
  readonly id: string;
  readonly source: string;
  readonly receivedAt: Date;
}

/** The body is null if it was deleted. @throws `store.cannot_open` */
export async function readNotificationBody(
  { connection, encryption }: Pick<Database, "connection" | "encryption">,
  id: string,
  visible: VisibleSources,
): Promise<{ readonly state: string; readonly body: Buffer | null } | null> {
  const { rows } = await sql<EncryptedRow & { id: string; state: string }>`
    select id, state, body, body_encoding as "bodyEncoding", key_id as "keyId"
    from skedchange.notifications where id = ${id}::uuid and ${isOfVisibleSource(sql`source`, visible)}
  `.execute(connection);
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
  { connection }: Pick<Database, "connection">,
  range: NotificationRange,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from skedchange.notifications n where ${inRange(range)}
  `.execute(connection);
  return rows[0]!.count;
}

/** Those of the range whose bodies are deleted. */
export async function countDeletedBodies(
  { connection }: Pick<Database, "connection">,
  range: NotificationRange,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from skedchange.notifications n
    where n.body_deleted_at is not null and ${isWithin(range)}
  `.execute(connection);
  return rows[0]!.count;
}

/** When the oldest of the newest `count` notifications of the range came; null if it has fewer. */
export async function startOfNewest(
  { connection }: Pick<Database, "connection">,
  range: NotificationRange,
  count: number,
): Promise<Date | null> {
  const { rows } = await sql<{ receivedAt: Date }>`
    select n.received_at as "receivedAt" from skedchange.notifications n where ${inRange(range)}
    order by n.received_at desc, n.id desc offset ${count - 1} limit 1
  `.execute(connection);
  return rows[0]?.receivedAt ?? null;
}

/** The case that each order of these notifications has joined, by `notification/order`. */
export async function casesOfNotifications(
  { connection }: Pick<Database, "connection">,
  notificationIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; orderId: string; caseId: string }>`
    select j.notification_id as id, c.order_id as "orderId", c.id as "caseId"
    from skedchange.case_notifications j join skedchange.cases c on c.id = j.case_id
    where j.notification_id = any(${[...notificationIds]}::uuid[])
  `.execute(connection);
  return new Map(rows.map(({ id, orderId, caseId }) => [`${id}/${orderId}`, caseId]));
}

/** Those whose bodies are still stored, oldest first. Each batch is a statement that starts after the last row, so neither memory nor transactions grow. */
export async function* readNotifications(
  { connection }: Pick<Database, "connection">,
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
    `.execute(connection);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    if (rows.length < batchSize) return;
    after = { position: last.position, id: last.id };
  }
}

function inRange(range: NotificationRange) {
  return sql`n.body_deleted_at is null and ${isWithin(range)}`;
}

function isWithin({ since, until, source }: NotificationRange) {
  return sql`n.state in ('accepted', 'released')
    and ${since === null ? sql`true` : sql`n.received_at >= ${since}`}
    and ${until === null ? sql`true` : sql`n.received_at < ${until}`}
    and ${source === null ? sql`true` : sql`n.source = ${source}`}`;
}
