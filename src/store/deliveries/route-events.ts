import type { Clock } from "../../kernel/clock.ts";
import type { Lane } from "../../sender/ports.ts";
import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { type Connection, inTransaction } from "../database/transaction.ts";
import { addDelivery, lockForAdding } from "./deliveries.ts";
import { type DeliveryTables, eventTables } from "./delivery-tables.ts";

interface RoutingOptions {
  readonly database: Database;
  readonly clock: Clock;
}

const routedMax = 200;

/** In commit order. Transactions that write events read no recipients, so deliveries never delay a case. */
export async function routeEvents({ database, clock }: RoutingOptions): Promise<void> {
  const waiting = await sql`
    select from ${eventTables.bodies} where routed_at is null limit 1`.execute(database.connection);
  if (waiting.rows.length === 0) return;
  let found: number;
  do found = await inTransaction(database, (trx) => routeBatch(trx, eventTables, clock));
  while (found === routedMax);
}

async function routeBatch(trx: Connection, tables: DeliveryTables, clock: Clock): Promise<number> {
  // One process at a time, so that a later event of an order is never added before an earlier one.
  await sql`select pg_advisory_xact_lock(hashtext('skedchange.route_events'))`.execute(trx);
  await sql`select from ${tables.recipients} where state <> 'removed' order by id ${lockForAdding}`.execute(trx);
  const routed = await sql<{ id: string }>`
    update ${tables.bodies} set routed_at = now()
    where id in (select id from ${tables.bodies} where routed_at is null order by position limit ${routedMax})
    returning id`.execute(trx);
  const { rows } = await sql<Lane & { readonly bodyId: string }>`
    select b.id as "bodyId", r.id as "recipientId", b.order_id as "orderId"
    from ${tables.bodies} b join ${tables.recipients} r on r.state <> 'removed' and r.id = any(b.recipient_ids)
    where b.id = any(${routed.rows.map(({ id }) => id)}::uuid[])
    -- Lanes as replays lock them, and within a lane as the events happened.
    order by r.id, b.order_id, b.position`.execute(trx);
  for (const { bodyId, ...lane } of rows) await addDelivery(trx, tables, clock, lane, bodyId);
  return routed.rows.length;
}
