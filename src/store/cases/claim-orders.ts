import { waiting } from "../../cases/case-actions.ts";
import type { CaseState } from "../../cases/lifecycle.ts";
import type { OrderKey } from "../../cases/order-context.ts";
import type { Lease } from "../../worker/ports.ts";
import { type Fields, recordset } from "../database/recordset.ts";
import { type Sql, sql } from "../database/sql.ts";
import type { Connection } from "../database/transaction.ts";
import { isUnderLease } from "../orders/leases.ts";
import {
  type LoadedOrder,
  loadedColumns,
  newestNotification,
  type OrderRow,
  toLoadedOrder,
  workedOn,
} from "./load-order.ts";

/** Whether an order that another transaction has locked is waited for or left out. */
export type IfLocked = "wait" | "skip";

/** Every transaction locks rows `o` of orders in this sequence, so that none waits for another in a circle. */
export const inLockOrder = sql`order by o.source collate "C", o.order_id collate "C"`;

export const lockClauses = { wait: sql``, skip: sql`skip locked` } as const satisfies Record<IfLocked, Sql>;

/** The version of an order that a statement sees, which may be older than the one that it locks. */
export function orderVersion(of: Sql): Sql {
  return sql`(select seen.xmin from skedchange.orders seen where seen.source = ${of}.source and seen.order_id = ${of}."orderId")`;
}

/**
 * Whether the locked order `o` is what the statement saw of it in `g."orderVersion"`. If another transaction changed it in
 * between, the statement does not see the decisions and approvals of that transaction either. Whoever waits has locked the order
 * by a statement before.
 */
export function isUnchanged(ifLocked: IfLocked): Sql {
  return ifLocked === "wait" ? sql`true` : sql`o.xmin = g."orderVersion"`;
}

/** An order to lock, and whether an effect is about to be sent for it. */
export interface OrderToLock extends OrderKey {
  readonly isSending: boolean;
}

const lockFields: Fields = { source: "text", orderId: "text", isSending: "boolean" };

/**
 * Waits until it has locked orders. If an effect is to be sent, it first waits for a stop of automation that is under way: with
 * the orders locked already, receivers would wait for that stop, too.
 */
export async function lockOrders(transaction: Connection, orders: readonly OrderToLock[]): Promise<void> {
  const given = recordset("g", lockFields, orders);
  await sql`
    with given as materialized (
      select * from ${given}
    ), switches as materialized (
      select source, skedchange.automation_is_stopped(source) as "isStopped"
      from (select distinct source from given where "isSending" order by source) sending
    )
    select 1 from given g
    left join switches s on g."isSending" and s.source = g.source
    join skedchange.orders o on o.source = g.source and o.order_id = g."orderId"
    where not g."isSending" or s."isStopped" is not null
    ${inLockOrder} for no key update of o
  `.execute(transaction);
}

export interface Claim extends OrderKey {
  readonly holder: string;
  readonly leaseMs: number;
}

/** `not-due` also while another worker has the order. `locked` is an order that another transaction may be about to change. */
export type ClaimResult = ClaimedOrder | "not-due" | "locked";

export interface ClaimedOrder extends LoadedOrder {
  readonly lease: Lease;
}

const claimFields: Fields = {
  place: "integer",
  source: "text",
  orderId: "text",
  holder: "text",
  leaseMs: "double precision",
};

/**
 * Leases orders that are due, moves their cases to `checking` and loads them, in one statement. Whoever waits locks the orders
 * first, by `lockOrders`.
 * @param rememberedIds see `loadedColumns`
 */
export async function claimOrders(
  connection: Connection,
  claims: readonly Claim[],
  at: Date,
  rememberedIds: readonly string[],
  ifLocked: IfLocked,
): Promise<readonly ClaimResult[]> {
  const given = claims.map((claim, place) => ({ ...claim, place }));
  const state = sql`case when begun.id is null then c.state else 'checking' end`;
  const { rows } = await sql<OrderRow>`
    with due as materialized (
      select g.place, g.holder, g."leaseMs", o.source, o.order_id, o.xmin as "orderVersion"
      from ${recordset("g", claimFields, given)}
      join skedchange.orders o on o.source = g.source and o.order_id = g."orderId"
      where ${isFree} and exists (
        select from skedchange.cases c
        where c.source = o.source and c.order_id = o.order_id and c.due_at <= now()
      )
    ), free as materialized (
      select g.* from due g join skedchange.orders o using (source, order_id)
      where ${isFree} and ${isUnchanged(ifLocked)}
      ${inLockOrder} for no key update of o ${lockClauses[ifLocked]}
    ), leased as (
      update skedchange.orders o
      set lease_fence = o.lease_fence + 1, leased_until = now() + make_interval(secs => free."leaseMs" / 1000),
        leased_at = now(), leased_by = free.holder, dispatched_until = null
      from free where o.source = free.source and o.order_id = free.order_id
      returning free.place, o.source, o.order_id, o.lease_fence as fence
    ), ${sql.join(checkingParts(sql`leased`, at, ifLocked))}
    select due.place, ${loadedColumns({ fence: sql`leased.fence`, state, rememberedIds })}
    from due
    left join leased on leased.place = due.place
    left join skedchange.orders o on o.source = leased.source and o.order_id = leased.order_id
    left join worked_on on worked_on.source = o.source and worked_on.order_id = o.order_id
    left join skedchange.cases c on c.id = worked_on.id
    left join to_check begun on begun.id = c.id
    ${newestNotification}
  `.execute(connection);
  const claimed = new Map(rows.map((row) => [row.place, row]));
  return claims.map(({ source, orderId }, place) => {
    const row = claimed.get(place);
    if (row === undefined) return "not-due";
    const order = toLoadedOrder({ source, orderId }, row);
    // Whoever has waited for the lock finds that another worker has leased the order.
    if (order.fence === null) return ifLocked === "skip" ? "locked" : "not-due";
    return { ...order, lease: { source, orderId, fence: order.fence } };
  });
}

/** Whether nobody has a lease on order `o`. */
const isFree = sql`(o.leased_until is null or o.leased_until <= now())`;

/** Moves the cases of an order under lease to `checking`, as a claim does: a notification may have opened the next one. */
export async function checkAgain(transaction: Connection, lease: Lease, at: Date): Promise<void> {
  await sql`
    with held as (
      select o.source, o.order_id from skedchange.orders o
      where o.source = ${lease.source} and o.order_id = ${lease.orderId} and ${isUnderLease(sql`${lease.fence}`)}
    ), ${sql.join(checkingParts(sql`held`, at, "wait"))}
    select from to_check
  `.execute(transaction);
}

/** From which a case moves to `checking` when a worker begins. */
const statesBefore: readonly CaseState[] = ["received", ...waiting];
const before = sql.join(statesBefore.map((state) => sql.lit(state)));

/** Whether a worker must first move the case to `checking`. */
export function mustBeginChecking(state: CaseState): boolean {
  return statesBefore.includes(state);
}

/**
 * Parts of a statement that move the cases of leased orders to `checking`, unless they are accepting, cancelling or finished.
 * An open case also stands for finished ones that are due. A case that is locked, or has changed since the statement began, is
 * loaded as it was, and then waited for.
 * @param of the leased orders, as a relation with `source` and `order_id`
 */
function checkingParts(of: Sql, at: Date, ifLocked: IfLocked): readonly Sql[] {
  return [
    sql`worked_on as (
      select l.source, l.order_id, c.id, c.xmin as version
      from ${of} l join skedchange.cases c on c.id = ${workedOn(sql`l`)}
    )`,
    sql`to_check as (
      select c.id, c.id = worked_on.id as "isWorkedOn" from worked_on
      join skedchange.cases c on c.source = worked_on.source and c.order_id = worked_on.order_id
      where (c.id = worked_on.id and c.xmin = worked_on.version and c.state in (${before}))
        or (c.id <> worked_on.id and c.due_at is not null)
      order by c.source collate "C", c.order_id collate "C", c.id
      for no key update of c ${lockClauses[ifLocked]}
    )`,
    sql`checking as (
      update skedchange.cases c
      set state = case when to_check."isWorkedOn" then 'checking' else c.state end,
        due_at = case when to_check."isWorkedOn" then c.due_at end,
        updated_at = case when to_check."isWorkedOn" then ${at}::timestamptz else c.updated_at end
      from to_check where c.id = to_check.id
    )`,
  ];
}
