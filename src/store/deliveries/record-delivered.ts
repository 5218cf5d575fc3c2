import type { Clock } from "../../kernel/clock.ts";
import { type DeliveredAttempt, type RecordedAttempt, recipientLanesMax } from "../../sender/ports.ts";
import { sql } from "../database/sql.ts";
import type { Connection } from "../database/transaction.ts";
import { isStillPending } from "./deliveries.ts";
import type { DeliveryTables } from "./delivery-tables.ts";

/**
 * Never waits: locked rows, and lanes changed after the statement's start, are left to the next call. A lane's next due
 * time comes from the snapshot, so a lane changed since would end as done with a delivery left; adding one always
 * changes the lane's row.
 * The laterals, the limits and the offset make PostgreSQL look up rows by key. Without statistics it would read whole
 * tables. A lane that was looked up is found again by where its row is stored (`ctid`), which is right for as long as the
 * row is unchanged.
 */
export async function recordDelivered(
  executor: Connection,
  tables: DeliveryTables,
  clock: Clock,
  delivered: readonly DeliveredAttempt[],
): Promise<readonly RecordedAttempt[]> {
  if (delivered.length === 0) return [];
  const now = clock.now();
  // By an attempt that ended after this one began, because nothing is sent during a hold.
  const isThrottled = sql`(r.held_because = 'throttled' and r.held_until > ${now})`;
  const { rows } = await sql<RecordedAttempt>`
    with ended as (
      select * from json_to_recordset(${JSON.stringify(delivered.map(describe))}::json) as ended (
        recipient_id uuid, order_id text, fence bigint, delivery_id uuid, attempt_id uuid, http_status integer,
        answer_excerpt text, duration_ms integer, timings jsonb)
    ), convalescent as materialized (
      select r.id from ${tables.recipients} r
      where r.id in (select recipient_id from ended)
        and (r.failed_in_row > 0 or r.held_until is not null or r.ramp_lanes is not null)
    ), well as (
      update ${tables.recipients} r
      set failed_in_row = 0, failing_since = null, failing_notices = 0,
        held_until = case when ${isThrottled} then r.held_until end,
        held_because = case when ${isThrottled} then r.held_because end,
        -- As many more lanes as acknowledgements: twice as many each round, as with a new connection of TCP. Beyond the most
        -- that any recipient can have, it has as many as it may have.
        ramp_lanes = case when r.ramp_lanes + acknowledged.count <= ${recipientLanesMax} then r.ramp_lanes + acknowledged.count end
      from (select recipient_id, count(*) from ended group by recipient_id) acknowledged
      where r.id = acknowledged.recipient_id and r.id in (
        select id from ${tables.recipients} where id in (select id from convalescent) for no key update skip locked)
      returning r.id
    ), locked as (
      select ended.*, seen.lane_row, seen.version as version_seen, lane.version as version_locked,
        lane.lease_fence = ended.fence as lease_held
      from ended
      cross join lateral (
        select l.ctid as lane_row, l.xmin as version from ${tables.lanes} l
        where l.recipient_id = ended.recipient_id and l.order_id = ended.order_id limit 1
      ) seen
      cross join lateral (
        select l.lease_fence, l.xmin as version from ${tables.lanes} l where l.ctid = seen.lane_row
        for update skip locked
      ) lane
      where ended.recipient_id not in (select id from convalescent) or ended.recipient_id in (select id from well)
      offset 0
    ), recorded as materialized (
      select * from locked where version_locked = version_seen
    ), completed as (
      update ${tables.attempts} a
      set outcome = 'delivered', http_status = recorded.http_status, answer_excerpt = recorded.answer_excerpt,
        duration_ms = recorded.duration_ms, timings = recorded.timings
      from recorded where a.id = recorded.attempt_id and ${isUnderWay}
    ), done as (
      update ${tables.deliveries} d set state = 'delivered', failures = 0, finished_at = ${now}
      from recorded where d.id = recorded.delivery_id and ${isStillPending}
    ), moved as (
      update ${tables.lanes} l
      set due_at = next.due_at, is_retry = coalesce(next.failures > 0, false),
        leased_until = case when not next.lease_held then l.leased_until end,
        leased_by = case when not next.lease_held then l.leased_by end
      from (
        select recorded.lane_row, recorded.lease_held, behind.due_at, behind.failures
        from recorded left join lateral (
          select d.due_at, d.failures from ${tables.deliveries} d
          where d.recipient_id = recorded.recipient_id and d.order_id = recorded.order_id and d.state = 'pending'
            and d.id <> recorded.delivery_id
          order by d.position limit 1
        ) behind on true
      ) next
      where l.ctid = next.lane_row
    )
    select attempt_id as "attemptId", lease_held as "leaseHeld" from recorded`.execute(executor);
  return rows;
}

/** The response to the statement may have been lost the first time. A `case` for the reason that `isStillPending` has. */
const isUnderWay = sql`case when a.outcome is null then true end`;

function describe({ attempt, result }: DeliveredAttempt): object {
  const { recipientId, orderId, fence } = attempt.lease;
  return {
    recipient_id: recipientId,
    order_id: orderId,
    fence,
    delivery_id: attempt.delivery.id,
    attempt_id: attempt.attemptId,
    http_status: result.httpStatus,
    answer_excerpt: result.answerExcerpt,
    duration_ms: result.durationMs,
    timings: result.timings,
  };
}
