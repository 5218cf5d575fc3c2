import type { Clock } from "../../kernel/clock.ts";
import { digestOfBytes } from "../../kernel/digest.ts";
import { newId } from "../../kernel/ids.ts";
import type { AddedAnnouncement, AddedDelivery, Announcement, Lane } from "../../sender/ports.ts";
import type { Encryption } from "../database/encryption.ts";
import { type Sql, sql } from "../database/sql.ts";
import type { Connection } from "../database/transaction.ts";
import type { DeliveryTables } from "./delivery-tables.ts";

/** Saves the notification and a delivery per matching recipient. */
export async function addAnnouncement(
  trx: Connection,
  tables: DeliveryTables,
  clock: Clock,
  encryption: Encryption,
  { orderId, agencyId = null, changeId, body, idempotencyKey, traceparent = null, ...announcement }: Announcement,
): Promise<AddedAnnouncement> {
  // As recipients name it in their rules.
  const airline = announcement.airline.toUpperCase();
  const now = clock.now();
  const publishKey = idempotencyKey === undefined ? `${changeId}/${orderId}` : `key/${idempotencyKey}`;
  const digest = digestOfBytes(body);
  const id = newId(clock);
  const encrypted = await encryption.encrypt(body, { column: tables.bodyColumn, row: id });
  const ocn = await sql<{ id: string }>`
    insert into ${tables.bodies}
      (id, change_id, order_id, airline, agency_id, publish_key, digest, body, body_encoding, body_bytes, key_id, is_bound,
        created_at, traceparent)
    values (${id}, ${changeId}, ${orderId}, ${airline}, ${agencyId}, ${publishKey}, ${digest},
      ${encrypted.body}, ${encrypted.bodyEncoding}, ${encrypted.bodyBytes}, ${encrypted.keyId}, true, ${now},
      ${traceparent})
    on conflict (publish_key) do nothing
    returning id`.execute(trx);
  const ocnId = ocn.rows[0]?.id;
  if (ocnId === undefined) return readAnnouncement(trx, tables, publishKey, { digest, agencyId });

  const recipients = await sql<{ id: string }>`
    select r.id from ${tables.recipients} r
    where r.state <> 'removed' and ${fits({ airline: sql`${airline}::text`, agencyId: sql`${agencyId}::text` })}
    order by r.id ${lockForAdding}`.execute(trx);
  const recipientIds = recipients.rows.map((row) => row.id);
  if (recipientIds.length === 0) return { outcome: "added", changeId, deliveries: [] };

  const added: AddedDelivery[] = [];
  for (const recipientId of recipientIds) {
    const deliveryId = await addDelivery(trx, tables, clock, { recipientId, orderId }, ocnId);
    added.push({ deliveryId, recipientId });
  }
  await notifyDue(trx, tables);
  return { outcome: "added", changeId, deliveries: added };
}

/** Whether recipient `r` gets notifications of this airline and agency. */
export const fits = ({ airline, agencyId }: Readonly<Record<"airline" | "agencyId", Sql>>) => sql`
  (r.airlines is null or ${airline} = any(r.airlines))
  and (r.agency_id is null or ${agencyId} is null or r.agency_id = ${agencyId})`;

/** Taken while deliveries are added. Changes and removals wait for it in `lockForChange`; senders do not. */
export const lockForAdding = sql`for key share`;

export async function lockForChange(trx: Connection, tables: DeliveryTables, recipientId: string): Promise<void> {
  await sql`select from ${tables.recipients} where id = ${recipientId} for update`.execute(trx);
}

export async function addDelivery(
  trx: Connection,
  tables: DeliveryTables,
  clock: Clock,
  lane: Lane,
  bodyId: string,
): Promise<string> {
  const id = newId(clock);
  const now = clock.now();
  await sql`
    insert into ${tables.lanes} as lane (recipient_id, order_id, due_at)
    values (${lane.recipientId}, ${lane.orderId}, ${now})
    on conflict (recipient_id, order_id) do update set due_at = coalesce(lane.due_at, excluded.due_at)`.execute(trx);
  // Inserted after the lane, and so under its row lock, to number positions in commit order.
  await sql`
    insert into ${tables.deliveries} (id, ${tables.bodyId}, recipient_id, order_id, due_at, created_at)
    values (${id}, ${bodyId}, ${lane.recipientId}, ${lane.orderId}, ${now}, ${now})`.execute(trx);
  await supersedeOlder(trx, tables, clock, lane);
  return id;
}

async function readAnnouncement(
  trx: Connection,
  tables: DeliveryTables,
  publishKey: string,
  { digest, agencyId }: { readonly digest: Buffer; readonly agencyId: string | null },
): Promise<AddedAnnouncement> {
  const announced = await sql<{ changeId: string; isSame: boolean }>`
    select change_id as "changeId", digest = ${digest} and agency_id is not distinct from ${agencyId} as "isSame" from ${tables.bodies}
    where publish_key = ${publishKey}`.execute(trx);
  const { rows } = await sql<AddedDelivery>`
    select d.id as "deliveryId", d.recipient_id as "recipientId"
    from ${tables.deliveries} d join ${tables.bodies} b on b.id = d.${tables.bodyId}
    where b.publish_key = ${publishKey} and d.replay_of is null
    order by d.recipient_id`.execute(trx);
  const { changeId, isSame } = announced.rows[0]!;
  return { outcome: isSame ? "repeated" : "conflict", changeId, deliveries: rows };
}

/**
 * Ends deliveries superseded by a newer notification, if the recipient wants only the latest. Resent ones stay; one
 * being sent is checked again after its attempt. The caller has the lane's row lock, or has just added to the lane.
 */
export async function supersedeOlder(trx: Connection, tables: DeliveryTables, clock: Clock, lane: Lane): Promise<void> {
  const superseded = await sql`
    with newest as (
      select id, position from ${tables.deliveries}
      where recipient_id = ${lane.recipientId} and order_id = ${lane.orderId} and state = 'pending'
        and replay_of is null
      order by position desc limit 1
    )
    update ${tables.deliveries} d set state = 'superseded', superseded_by = newest.id, finished_at = ${clock.now()}
    from newest, ${tables.recipients} r
    where r.id = ${lane.recipientId} and r.ordering = 'latest'
      and d.recipient_id = ${lane.recipientId} and d.order_id = ${lane.orderId} and d.state = 'pending'
      and d.replay_of is null and d.position < newest.position
      and not exists (
        select from ${tables.attempts} a where a.delivery_id = d.id and a.number = d.attempts and a.outcome is null
          and exists (
            select from ${tables.lanes} l where l.recipient_id = d.recipient_id and l.order_id = d.order_id
              and l.lease_fence = a.lease_fence and l.leased_until > now()))`.execute(trx);
  if (superseded.rowCount !== 0) await scheduleLane(trx, tables, lane);
}

/** Locks the lane for this transaction; returns the fence of its newest lease. */
export async function lockLane(trx: Connection, tables: DeliveryTables, lane: Lane): Promise<number | undefined> {
  const { rows } = await sql<{ fence: number }>`
    select lease_fence as fence from ${tables.lanes}
    where recipient_id = ${lane.recipientId} and order_id = ${lane.orderId} for update`.execute(trx);
  return rows[0]?.fence;
}

/** The caller has the lane's row lock. */
export async function scheduleLane(executor: Connection, tables: DeliveryTables, lane: Lane): Promise<void> {
  await sql`
    update ${tables.lanes} l set due_at = d.due_at, is_retry = coalesce(d.failures > 0, false)
    from (select (${firstPending(tables, lane)}) as id) as first left join ${tables.deliveries} d on d.id = first.id
    where l.recipient_id = ${lane.recipientId} and l.order_id = ${lane.orderId}`.execute(executor);
}

export async function notifyDue(executor: Connection, tables: DeliveryTables): Promise<void> {
  await sql`select pg_notify(${tables.dueChannel}, '')`.execute(executor);
}

function firstPending(tables: DeliveryTables, lane: Lane) {
  return sql`
    select id from ${tables.deliveries}
    where recipient_id = ${lane.recipientId} and order_id = ${lane.orderId} and state = 'pending'
    order by position limit 1`;
}

/**
 * The row may have ended since. A `case`, because PostgreSQL underestimates the rows of `finished_at is null` and,
 * without statistics, reads the whole table.
 */
export const isStillPending = sql`case when d.finished_at is null then true end`;

export function milliseconds(count: number) {
  return sql`make_interval(secs => ${count / 1_000})`;
}
