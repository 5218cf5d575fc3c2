import type { OrderKey } from "../../cases/order-context.ts";
import { type CaseStore, type Lease, leaseLost } from "../../worker/ports.ts";
import type { Database } from "../database/database.ts";
import { type Sql, sql } from "../database/sql.ts";
import { type Connection, inTransaction } from "../database/transaction.ts";

/** The column's default. */
const newCasePriority = 5;

type LeaseStore = Pick<CaseStore, "takeDueOrders" | "renewLease" | "releaseLease">;

/** Stores which worker works on which order. All times are the database's, so workers' clocks may differ. */
export function createLeaseStore(database: Database): LeaseStore {
  const { connection } = database;
  return {
    takeDueOrders: (limit, dispatchMs, perSourceMax = null) => {
      // Concurrent processes must see what the others have taken, or each would use up the source's limit again.
      if (perSourceMax === null) return takeDue(connection, limit, dispatchMs, null);
      return inTransaction(database, async (transaction) => {
        const [, taken] = await Promise.all([
          sql`select pg_advisory_xact_lock(hashtextextended('skedchange.take-due-orders', 0))`.execute(transaction),
          takeDue(transaction, limit, dispatchMs, perSourceMax),
        ]);
        return taken;
      });
    },

    renewLease: async (lease, leaseMs) => {
      const result = await sql`
        update skedchange.orders
        set leased_until = now() + ${milliseconds(leaseMs)}
        where source = ${lease.source} and order_id = ${lease.orderId}
          and lease_fence = ${lease.fence} and leased_until > now()
      `.execute(connection);
      return result.rowCount === 1;
    },

    releaseLease: (lease) => releaseLease(connection, lease),
  };
}

/** Does nothing if the lease is lost. */
export async function releaseLease(connection: Connection, { source, orderId, fence }: Lease): Promise<void> {
  await sql`
    update skedchange.orders set leased_until = null, leased_at = null, leased_by = null
    where source = ${source} and order_id = ${orderId} and lease_fence = ${fence}
  `.execute(connection);
}

/** A case that only a notification of many orders has made due. */
const yields = sql`c.wake = c.yielding_wake`;

/** Such a case counts as no more urgent than a new one, or 500 urgent ones would delay every new order. */
const rank = sql`case when ${yields} then greatest(c.priority, ${sql.lit(newCasePriority)}) else c.priority end`;

/** Such a case lets others go first that become due within an hour after it, so its own wait is limited. */
const turn = sql`c.due_at + case when ${yields} then interval '1 hour' else interval '0' end`;

const dispatchOrder = sql`${rank}, ${turn}, c.priority`;

/** The first due cases of source `s` and priority `p` that fit, of orders without a lease. */
function firstDue(fits: Sql): Sql {
  return sql`
    select c.source, c.order_id, c.priority, c.due_at, c.wake, c.yielding_wake
    from skedchange.cases c
    where c.source = s.source and c.priority = p.priority and c.due_at <= now() and ${fits}
      and not exists (
        select from skedchange.orders o
        where o.source = c.source and o.order_id = c.order_id
          and (o.leased_until > now() or o.dispatched_until > now())
      )
    order by c.due_at
    limit s.places
  `;
}

function nextSource(fits: Sql): Sql {
  return sql`select c.source from skedchange.cases c where c.due_at is not null and ${fits} order by c.source limit 1`;
}

/**
 * Ranks within each source and takes rank by rank, so that a long backlog of one source delays no other. Ranks only the
 * first of each priority by index, because reading the whole backlog would cost more than the work.
 */
async function takeDue(
  connection: Connection,
  limit: number,
  dispatchMs: number,
  perSourceMax: number | null,
): Promise<readonly OrderKey[]> {
  const { rows } = await sql<{ source: string; order_id: string; place: number; priority: number }>`
    with recursive sources as (
      (${nextSource(sql`true`)})
      union all
      select (${nextSource(sql`c.source > s.source`)}) from sources s where s.source is not null
    ), room as materialized (
      select greatest(0, ${limit}::bigint - count(*)) as places
      from skedchange.orders where dispatched_until > now()
    ), free as materialized (
      select s.source, ${placesOf(perSourceMax)} as places from sources s where s.source is not null
    ), ranked as (
      select first.source, first.order_id, min(first.priority) as priority, min(first.place) as place
      from free s
      cross join lateral (
        select c.source, c.order_id, ${rank} as priority, row_number() over (order by ${dispatchOrder}) as place
        from generate_series(0, 9) p (priority)
        cross join lateral (
          (${firstDue(sql`(${yields}) is not true`)}) union all (${firstDue(yields)})
        ) c
        order by ${dispatchOrder}
        limit s.places
      ) first
      group by first.source, first.order_id
    ), chosen as (
      select o.source, o.order_id, r.place, r.priority
      from ranked r join skedchange.orders o on o.source = r.source and o.order_id = r.order_id
      where o.dispatched_until is null or o.dispatched_until <= now()
      order by r.place, r.priority
      limit (select places from room)
      for no key update of o skip locked
    )
    update skedchange.orders o
    set dispatched_until = now() + ${milliseconds(dispatchMs)}
    from chosen
    where o.source = chosen.source and o.order_id = chosen.order_id
    returning o.source, o.order_id, chosen.place, chosen.priority
  `.execute(connection);
  return rows
    .sort((a, b) => a.place - b.place || a.priority - b.priority)
    .map((row) => ({ source: row.source, orderId: row.order_id }));
}

/** How many more orders of source `s` may be dispatched. Queued orders and leased ones count. */
function placesOf(perSourceMax: number | null): Sql {
  if (perSourceMax === null) return sql`(select places from room)`;
  return sql`(
    select least(room.places, greatest(0, ${perSourceMax}::bigint - (
      select count(*) from skedchange.orders o
      where o.source = s.source and (o.dispatched_until > now() or o.leased_until > now())
    ))) from room
  )`;
}

/** Whether the lease with that fence still holds for order `o`. */
export function isUnderLease(fence: Sql): Sql {
  return sql`o.lease_fence = ${fence} and o.leased_until > clock_timestamp()`;
}

/** Locks an order whose lease is held. @throws `desk.lease_lost` */
export async function holdLease(transaction: Connection, lease: Lease): Promise<void> {
  const { rows } = await sql`
    select 1 from skedchange.orders o
    where o.source = ${lease.source} and o.order_id = ${lease.orderId} and ${isUnderLease(sql`${lease.fence}`)}
    for no key update
  `.execute(transaction);
  if (rows.length === 0) throw leaseLost(lease);
}

/** Ends a worker's lease, so that it can't act on what it read before. The transaction must have locked the order. */
export async function takeFromWorker(transaction: Connection, source: string, orderId: string): Promise<void> {
  await sql`
    update skedchange.orders
    set lease_fence = lease_fence + 1, leased_until = null, leased_at = null, leased_by = null
    where source = ${source} and order_id = ${orderId}
  `.execute(transaction);
}

function milliseconds(count: number) {
  return sql`make_interval(secs => ${count / 1_000})`;
}
