import {
  type Inconsistency,
  type InconsistencyKind,
  inconsistencyKinds,
  type ListedInconsistency,
} from "../../cases/inconsistency.ts";
import type { InconsistencyLimits } from "../../worker/reconciliation-ports.ts";
import { type Sql, sql } from "../database/sql.ts";
import type { Connection } from "../database/transaction.ts";
import {
  isAcknowledged,
  isUnattended,
  isUnfinished,
  isWithoutProgress,
  pendingDigest,
} from "../notifications/unattended.ts";
import { hasEffect } from "./effect-snapshot.ts";
import { liveStates, waitingStates } from "./states.ts";

/** Reads the inconsistencies of one kind, longest-lasting first. */
export async function readInconsistencies(
  reading: Connection,
  kind: InconsistencyKind,
  limits: InconsistencyLimits,
  max: number,
): Promise<readonly Inconsistency[]> {
  const { rows } = await sql<Omit<Inconsistency, "kind">>`
    select source, order_id as "orderId", case_id as "caseId", effect_id as "effectId",
      notification_id as "notificationId", since
    from (${inconsistencyQuery(kind, limits)}) as damage
    order by since nulls first, source, order_id, case_id
    limit ${max}
  `.execute(reading);
  return rows.map((row) => ({ kind, ...row }));
}

export async function listInconsistencies(
  reading: Connection,
  limits: InconsistencyLimits,
  max: number,
): Promise<readonly ListedInconsistency[]> {
  const found: ListedInconsistency[] = [];
  for (const kind of Object.keys(inconsistencyKinds) as InconsistencyKind[]) {
    for (const inconsistency of await readInconsistencies(reading, kind, limits, max))
      found.push({ ...inconsistency, ...inconsistencyKinds[kind] });
  }
  return found;
}

/** The query for one kind. Columns: source, order_id, case_id, effect_id, notification_id, since. */
export function inconsistencyQuery(kind: InconsistencyKind, limits: InconsistencyLimits): Sql {
  return queries[kind](limits);
}

type Query = (limits: InconsistencyLimits) => Sql;

const ago = (ms: number): Sql => sql`(now() - make_interval(secs => ${ms / 1_000}))`;
const ahead = (ms: number): Sql => sql`(now() + make_interval(secs => ${ms / 1_000}))`;

const caseColumns = sql`c.source, c.order_id, c.id as case_id`;
const noEffect = sql`null::uuid as effect_id`;
const noNotification = sql`null::uuid as notification_id`;

const cases = (condition: Sql): Sql => sql`
  select ${caseColumns}, ${noEffect}, ${noNotification}, coalesce(c.due_at, c.updated_at) as since
  from skedchange.cases c
  where ${condition}
`;

const effects = (condition: Sql): Sql => sql`
  select ${caseColumns}, e.id as effect_id, ${noNotification}, coalesce(e.sent_at, e.planned_at) as since
  from skedchange.effects e join skedchange.cases c on c.id = e.case_id
  where ${condition}
`;

const orders = (condition: Sql, since: Sql): Sql => sql`
  select o.source, o.order_id, (
      select c.id from skedchange.cases c
      where c.source = o.source and c.order_id = o.order_id
      order by ${isUnfinished} desc, c.opened_at desc, c.id desc
      limit 1
    ) as case_id, ${noEffect}, ${noNotification}, ${since} as since
  from skedchange.orders o
  where ${condition}
`;

const isNobodys = sql`not exists (
  select from skedchange.orders o
  where o.source = c.source and o.order_id = c.order_id and o.leased_until > now()
)`;

const hasLiveEffect = sql`exists (
  select from skedchange.effects live
  where live.source = c.source and live.order_id = c.order_id and live.state in ${liveStates}
)`;

const queries: Readonly<Record<InconsistencyKind, Query>> = {
  "notification.without-case": () => sql`
    select n.source, null::text as order_id, null::uuid as case_id, ${noEffect}, n.id as notification_id,
      n.received_at as since
    from skedchange.notifications n left join ${pendingDigest}
    where ${isAcknowledged} and ${isUnattended}
  `,

  "effect.without-outcome": ({ effectMs }) =>
    effects(sql`e.state in ('planned', 'sent') and coalesce(e.sent_at, e.planned_at) < ${ago(effectMs)}
      and ${isUnfinished} and (c.due_at is null or c.due_at > ${ahead(effectMs)}) and ${isNobodys}`),

  "effect.unknown-unattended": () =>
    effects(sql`e.state = 'unknown' and ${isUnfinished} and c.due_at is null and c.state <> 'awaiting-agent'
      and ${isNobodys}`),

  "case.decision-not-carried-out": () =>
    cases(sql`${isUnfinished} and c.due_at is null and ${isNobodys} and not ${hasLiveEffect}
      and exists (
        select from skedchange.decisions d
        where d.id = c.decision_id and d.action in ('accept', 'cancel') and d.superseded_at is null
          and not ${hasEffect}
      )`),

  "case.without-effect": () =>
    cases(sql`c.state in ('accepting', 'cancelling') and c.due_at is null and ${isNobodys} and not ${hasLiveEffect}`),

  "case.without-decision": () =>
    cases(sql`c.state in ${waitingStates} and c.due_at is null and ${isNobodys}
      and not exists (select from skedchange.decisions d where d.id = c.decision_id and d.superseded_at is null)`),

  "case.without-progress": () => cases(sql`${isWithoutProgress} and ${isNobodys}`),

  "case.due-long-ago": ({ dueMs }) => cases(sql`c.due_at < ${ago(dueMs)} and ${isNobodys}`),

  "order.lease-left": ({ orderMs }) => orders(sql`o.leased_until > ${ahead(orderMs)}`, sql`null::timestamptz`),

  "order.dispatch-left": ({ orderMs }) => orders(sql`o.dispatched_until > ${ahead(orderMs)}`, sql`null::timestamptz`),

  "effect.on-finished-case": ({ effectMs }) =>
    effects(sql`e.state in ${liveStates} and coalesce(e.sent_at, e.planned_at) < ${ago(effectMs)}
      and not (${isUnfinished})`),

  "case.done-without-success": () =>
    cases(sql`c.state = 'done'
      and not exists (select from skedchange.effects e where e.case_id = c.id and e.state = 'succeeded')`),

  "case.finished-without-decision": () => cases(sql`not (${isUnfinished}) and c.decision_id is null`),

  "task.forgotten": ({ taskMs }) => sql`
    select t.source, t.order_id, t.case_id, ${noEffect}, ${noNotification}, t.opened_at as since
    from skedchange.tasks t
    where t.closed_at is null and case
      when t.due_by is null then t.opened_at < ${ago(taskMs)}
      else greatest(t.due_by, t.opened_at) < now() - interval '1 day' end
  `,
};
