import type { VisibleSources } from "../../cases/visible-sources.ts";
import type { BlockedOrder, BlockedOrders, BlockReasonCode } from "../../dashboard/blocked-order-ports.ts";
import { finishedStates, shownState } from "../cases/states.ts";
import type { Database } from "../database/database.ts";
import { type Sql, sql } from "../database/sql.ts";
import { isOfVisibleSource } from "../database/visible-rows.ts";

/** Work on an order takes a few gateway calls; a longer lease means that the worker or its gateway hangs. */
const leaseHeldMinutes = 5;
const failuresMin = 3;
const notPickedUpMinutes = 5;

export function createBlockedOrders({ connection }: Database): BlockedOrders {
  return {
    listBlocked: async ({ visible, source, after, limit }) => {
      const { rows } = await sql<BlockedRow>`
        with ${blocked(source, visible)}
        select *, to_char(since at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as position
        from blocked
        where ${after === null ? sql`true` : sql`(since, id) > (${after.at}::timestamptz, ${after.id}::uuid)`}
        order by since, id
        limit ${limit + 1}
      `.execute(connection);
      const shown = rows.slice(0, limit);
      const last = shown.at(-1);
      return {
        items: shown.map(toBlockedOrder),
        next: rows.length > limit && last !== undefined ? { at: last.position, id: last.id } : null,
      };
    },
  };
}

export async function countBlockedOrders({ connection }: Database): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ source: string; count: number }>`
    with ${blocked(null, null)}
    select source, count(*) as count from blocked group by source order by source
  `.execute(connection);
  return new Map(rows.map(({ source, count }) => [source, count]));
}

interface BlockedRow {
  readonly id: string;
  readonly source: string;
  readonly order_id: string;
  readonly state: BlockedOrder["caseState"];
  readonly code: BlockReasonCode;
  readonly since: Date;
  readonly position: string;
  readonly effect: string | null;
  readonly failures: number;
  readonly last_error: { readonly code?: string; readonly message?: string } | null;
  readonly due_at: Date | null;
  readonly leased_until: Date | null;
  readonly leased_by: string | null;
}

/** Each kind has its own small index: live effects, leases, due times. An order is listed once, by its first kind. */
function blocked(source: string | null, visible: VisibleSources): Sql {
  const isVisible = isOfVisibleSource(sql`c.source`, visible);
  const ofSource = source === null ? isVisible : sql`c.source = ${source} and ${isVisible}`;
  const isLeased = sql`o.leased_until is not null and o.leased_until > now()`;
  return sql`
    candidates as (
      select c.id, 1 as place, 'effect-unknown' as code, coalesce(e.sent_at, e.planned_at) as since, e.action as effect
      from skedchange.effects e join skedchange.cases c on c.id = e.case_id
      where e.state = 'unknown' and ${ofSource}
      union all
      select c.id, 2, 'lease-held', o.leased_at, null
      from skedchange.orders o
      cross join lateral (
        select * from skedchange.cases own
        where own.source = o.source and own.order_id = o.order_id
        order by own.state in ${finishedStates}, own.opened_at desc
        limit 1
      ) c
      where ${isLeased} and o.leased_at <= now() - make_interval(mins => ${leaseHeldMinutes}) and ${ofSource}
      union all
      select c.id, 3, 'failing', coalesce((c.last_error ->> 'since')::timestamptz, c.updated_at), null
      from skedchange.cases c
      where c.due_at is not null and c.failures >= ${failuresMin} and ${ofSource}
      union all
      select c.id, 4, 'not-picked-up', c.due_at, null
      from skedchange.cases c join skedchange.orders o on o.source = c.source and o.order_id = c.order_id
      where c.due_at <= now() - make_interval(mins => ${notPickedUpMinutes}) and ${ofSource}
        and not (${isLeased}) and not (o.dispatched_until is not null and o.dispatched_until > now())
    ), blocked as (
      select distinct on (c.source, c.order_id)
        c.id, c.source, c.order_id, ${shownState} as state, found.code, found.since, found.effect, c.failures, c.last_error, c.due_at,
        case when ${isLeased} then o.leased_until end as leased_until,
        case when ${isLeased} then o.leased_by end as leased_by
      from candidates found
      join skedchange.cases c on c.id = found.id
      join skedchange.orders o on o.source = c.source and o.order_id = c.order_id
      order by c.source, c.order_id, found.place, found.since
    )`;
}

function toBlockedOrder(row: BlockedRow): BlockedOrder {
  return {
    source: row.source,
    orderId: row.order_id,
    caseId: row.id,
    caseState: row.state,
    since: row.since,
    reason: { code: row.code, text: reasonText(row) },
    failures: row.failures,
    nextTryAt: row.due_at,
    leasedUntil: row.leased_until,
    leasedBy: row.leased_by,
  };
}

function reasonText({ code, effect, since, failures, last_error, leased_by }: BlockedRow): string {
  switch (code) {
    case "effect-unknown":
      return `Whether the ${effect ?? "effect"} was carried out is unknown, so nothing else is sent. Check with the gateway or the airline, then mark it as carried out or not.`;
    case "lease-held":
      return `The process ${leased_by ?? "that holds its lease"} has worked on it since ${since.toISOString()}. Check its log; another process takes over when it ends.`;
    case "failing":
      return `The last ${failures} attempts failed, the latest with ${last_error?.code ?? "an error"}: ${last_error?.message ?? "no details"}`;
    case "not-picked-up":
      return `It has been due since ${since.toISOString()} and no worker has picked it up. Check that workers run and are not all busy.`;
  }
}
