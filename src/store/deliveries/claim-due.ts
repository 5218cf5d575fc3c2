import type { Clock } from "../../kernel/clock.ts";
import { newId } from "../../kernel/ids.ts";
import {
  type BegunAttempt,
  type ClaimBounds,
  type Lane,
  lanesAhead,
  lanesAheadMax,
  recipientLanesMax,
} from "../../sender/ports.ts";
import type { Encryption } from "../database/encryption.ts";
import { type Fields, recordset } from "../database/recordset.ts";
import { sql } from "../database/sql.ts";
import type { Connection } from "../database/transaction.ts";
import { isStillPending, lockLane, milliseconds, scheduleLane, supersedeOlder } from "./deliveries.ts";
import type { DeliveryTables } from "./delivery-tables.ts";
import { type OpenTarget, type TargetRow, targetColumns, toUnreadable } from "./recipient-target.ts";

interface ClaimContext {
  readonly encryption: Encryption;
  readonly tables: DeliveryTables;
  readonly clock: Clock;
  readonly openTarget: OpenTarget;
}

interface Claim {
  readonly attempts: readonly BegunAttempt[];
  /** Lanes that are due and whose first delivery is not to be sent, for `advanceLane`. */
  readonly lanesToAdvance: readonly Lane[];
  /** Whether there may be more: another claim was faster, a lane was untidy, or this one claimed as many as it may. */
  readonly isIncomplete: boolean;
}

export const nothingClaimed: Claim = { attempts: [], lanesToAdvance: [], isIncomplete: false };

/** Limits how long one statement has its locks. */
const claimMax = 64;

/**
 * As many bodies as this are part of a claim's response, where they take twice as much. With them it fits the buffers to
 * this process, of about 200 KB, so a process that does not read blocks nobody. The others are read without locks.
 */
const bodyBytesMax = 48 * 1024;

const raisedFields: Fields = { recipientId: "uuid", lanes: "integer" };

/** Claims due deliveries and reads what to send. No locks are held while requests go to recipients. */
export async function claimDue(connection: Connection, context: ClaimContext, bounds: ClaimBounds): Promise<Claim> {
  if (bounds.limit === 0) return nothingClaimed;
  const now = context.clock.now();
  const limit = Math.min(bounds.limit, claimMax);
  const rows = await claimLanes(connection, context, { ...bounds, limit }, now);
  const claimed = rows.filter((row): row is ClaimedRow | UntidyRow => row.recipientId !== null);
  const begun = await withBodies(connection, context.tables, claimed.filter(isBegun));
  const lanesToAdvance = claimed.filter((row): row is UntidyRow => row.deliveryId === null);
  return {
    attempts: await Promise.all(begun.map((row) => openAttempt(context, row, now))),
    lanesToAdvance,
    isIncomplete: rows.some(({ lostTurn }) => lostTurn) || lanesToAdvance.length > 0 || claimed.length === claimMax,
  };
}

function isBegun(row: ClaimedRow | UntidyRow): row is ClaimedRow {
  return row.deliveryId !== null;
}

/** Adds the bodies that the claim left out. No attempt was sent yet, so none has ended and been deleted. */
async function withBodies(
  connection: Connection,
  { bodies }: DeliveryTables,
  claimed: readonly ClaimedRow[],
): Promise<readonly BegunRow[]> {
  const missing = new Set(claimed.flatMap((row) => (hasBody(row) ? [] : [row.bodyRow])));
  if (missing.size === 0) return claimed.filter(hasBody);
  const { rows } = await sql<BodyRow>`
    select ${bodyColumns} from unnest(${[...missing]}::uuid[]) as missing (id)
    cross join lateral (select * from ${bodies} where id = missing.id limit 1) b`.execute(connection);
  const byRow = new Map(rows.map((body) => [body.bodyRow, body]));
  return claimed.map((row) => (hasBody(row) ? row : { ...row, ...byRow.get(row.bodyRow)! }));
}

function hasBody(row: ClaimedRow): row is BegunRow {
  return row.body !== null;
}

/** The columns of a body `b`. */
const bodyColumns = sql`b.id as "bodyRow", b.body, b.body_encoding as "bodyEncoding", b.key_id as "bodyKeyId"`;

interface BodyRow {
  readonly bodyRow: string;
  readonly body: Buffer;
  readonly bodyEncoding: string;
  readonly bodyKeyId: string | null;
}

/**
 * Waits for no row but the turn: lanes and rate-limited recipients that are locked are left to the next claim. The
 * snapshot may be old, so it checks on the locked row that the lane is free and the delivery pending. Rows are found by
 * index or key and compared with the time afterwards, so PostgreSQL reads no whole backlog, even without statistics.
 * @returns a row per claimed lane, without a delivery if its first one is not to be sent; one row without a lane if
 * none
 */
async function claimLanes(
  connection: Connection,
  { tables, clock }: ClaimContext,
  bounds: ClaimBounds,
  now: Date,
): Promise<readonly (ClaimedRow | UntidyRow | EmptyRow)[]> {
  const attemptIds = Array.from({ length: bounds.limit }, () => newId(clock)).toSorted();
  const isFree = sql`(l.leased_until is null or l.leased_until <= now())`;
  const { rows } = await sql<ClaimedRow | UntidyRow | EmptyRow>`
    with reachable as (
      select r.id, r.ordering, r.deadline_ms, r.rate_per_second, slots.max as slots_max, busy.lanes,
        -- One that fails again and again is probed with one lane at a time, one that was stopped begins with few.
        least(
          case
            when r.failed_in_row >= ${bounds.failuresUntilHold} then 1
            when r.id = any(${bounds.aheadFor}) and r.failed_in_row = 0 and r.ramp_lanes is null
              and r.rate_per_second is null and busy.elsewhere = 0 then least(${lanesAhead} * slots.max, greatest(slots.max, ${lanesAheadMax}))
            else least(slots.max, r.ramp_lanes)
          end - busy.lanes,
          ${attemptsLeft(now)}) as room
      from ${tables.recipients} r
      left join ${recordset("raised", raisedFields, bounds.raised)} on raised."recipientId" = r.id
      cross join lateral (select coalesce(r.lanes_max, raised.lanes, ${bounds.perRecipient}) as max) slots
      cross join lateral (
        -- One that is being delivered in takes room of its recipient, and of nobody else.
        select count(*) as lanes, count(*) filter (where leased_by <> ${bounds.holder}) as elsewhere from (
          select l.leased_until, l.leased_by from ${tables.lanes} l
          where l.recipient_id = r.id and l.leased_until is not null
          order by l.leased_until desc limit ${lanesAhead * recipientLanesMax}
        ) newest where leased_until > now()
      ) busy
      where r.state = 'active' and (r.held_until is null or r.held_until <= ${now})
    ), offered as (
      -- The recipient with the fewest lanes in hand comes first, and within a recipient what has waited longest.
      select due.recipient_id, due.order_id, due.due_at, due.is_retry,
        r.lanes + row_number() over (partition by due.recipient_id order by due.due_at) as in_hand
      from reachable r cross join lateral (
        select l.recipient_id, l.order_id, l.due_at, l.is_retry from ${tables.lanes} l
        where l.recipient_id = r.id and l.due_at is not null and ${isFree}
        order by l.due_at limit greatest(r.room, 0)
      ) due
      where due.due_at <= ${now}
    ), ranked as (
      select offered.*, row_number() over (partition by is_retry order by in_hand, due_at) as place from offered
    ), candidates as materialized (
      select * from ranked
      -- Retries leave room for what is tried for the first time, however many there are.
      where not is_retry or place <= ${bounds.retriesMax}
      order by in_hand, due_at
      limit ${bounds.limit}
    ), my_turn as (
      -- Taken by another claim since this one began: then the turn that it sees is not the turn that it waited for.
      update ${tables.turns} set turn = turn + 1
      where turn = (select turn from ${tables.turns}) and exists (select from candidates)
      returning turn
    ), paced as materialized (
      select r.id from ${tables.recipients} r
      where r.rate_per_second is not null and r.id in (select recipient_id from candidates)
        and exists (select from my_turn)
      for no key update skip locked
    ), claimed as (
      select c.recipient_id, c.order_id, c.in_hand, c.due_at, r.ordering, r.deadline_ms, r.slots_max
      from candidates c
      join reachable r on r.id = c.recipient_id
      cross join lateral (
        select l.due_at, l.leased_until from ${tables.lanes} l
        where l.recipient_id = c.recipient_id and l.order_id = c.order_id limit 1 for update skip locked
      ) l
      where l.due_at <= ${now} and ${isFree} and exists (select from my_turn)
        and (r.rate_per_second is null or r.id in (select id from paced))
    ), heads as (
      select c.recipient_id, c.order_id, c.deadline_ms, first.id,
        row_number() over (order by c.in_hand, c.due_at) as place
      from claimed c cross join lateral (
        select d.id, d.due_at, d.replay_of, d.position from ${tables.deliveries} d
        where d.recipient_id = c.recipient_id and d.order_id = c.order_id and d.state = 'pending'
        order by d.position limit 1
      ) first
      where first.due_at <= ${now} and (c.ordering = 'every' or first.replay_of is not null or not exists (
        select from ${tables.deliveries} newer
        where newer.recipient_id = c.recipient_id and newer.order_id = c.order_id and newer.state = 'pending'
          and newer.replay_of is null and newer.position > first.position))
    ), begun as (
      update ${tables.deliveries} d
      set attempts = d.attempts + 1, first_tried_at = coalesce(d.first_tried_at, ${now})
      from heads where d.id = heads.id and ${isStillPending}
      returning d.id, d.recipient_id, d.order_id, d.${tables.bodyId} as body_id, d.attempts, d.failures, d.first_tried_at,
        heads.place, heads.deadline_ms
    ), leased as (
      update ${tables.lanes} l
      set lease_fence = l.lease_fence + 1, leased_by = ${bounds.holder},
        leased_until = now() + ${milliseconds(bounds.leaseMs)} + make_interval(secs => coalesce(begun.deadline_ms, 0) / 1000.0)
      from begun where l.recipient_id = begun.recipient_id and l.order_id = begun.order_id
      returning l.recipient_id, l.order_id, l.lease_fence
    ), tried as (
      insert into ${tables.attempts} (id, delivery_id, number, started_at, lease_fence)
      select (${attemptIds}::uuid[])[begun.place], begun.id, begun.attempts, ${now}, leased.lease_fence
      from begun join leased using (recipient_id, order_id)
      returning id, delivery_id, lease_fence
    ), slowed as (
      update ${tables.recipients} r
      set paced_until = greatest(r.paced_until, ${now}) + tries.count * interval '1 second' / r.rate_per_second
      from (select recipient_id, count(*) from begun group by recipient_id) tries
      where r.id = tries.recipient_id and r.rate_per_second is not null
    )
    select exists (select from candidates) and not exists (select from my_turn) as "lostTurn",
      c.recipient_id as "recipientId", c.order_id as "orderId",
      begun.id as "deliveryId", begun.attempts as number, begun.failures, begun.first_tried_at as "firstTriedAt", c.slots_max as "slotsMax",
      tried.id as "attemptId", tried.lease_fence as fence, message.*
    from (values (true)) always
    left join claimed c on true
    left join begun using (recipient_id, order_id)
    left join tried on tried.delivery_id = begun.id
    left join lateral (
      select ${targetColumns}, ${bodyColumns}, b.traceparent
      from ${tables.recipients} r cross join lateral (
        select b.id, b.body_encoding, b.key_id, ${tables.traceparent} as traceparent,
          case when begun.place * octet_length(b.body) <= ${bodyBytesMax} then b.body end as body
        from ${tables.bodies} b where b.id = begun.body_id limit 1
      ) b
      where r.id = begun.recipient_id limit 1
    ) message on true
    order by "attemptId"`.execute(connection);
  return rows;
}

interface EmptyRow {
  readonly lostTurn: boolean;
  readonly recipientId: null;
}

interface UntidyRow extends Lane {
  readonly lostTurn: false;
  readonly deliveryId: null;
}

interface ClaimedRow extends Lane, TargetRow, Omit<BodyRow, "body"> {
  readonly lostTurn: false;
  readonly fence: number;
  readonly attemptId: string;
  readonly deliveryId: string;
  readonly number: number;
  readonly failures: number;
  readonly firstTriedAt: Date;
  readonly slotsMax: number;
  /** Null if it is left out of the response. */
  readonly body: Buffer | null;
  readonly traceparent: string | null;
}

interface BegunRow extends Omit<ClaimedRow, "body">, BodyRow {}

/**
 * How many attempts the rate of recipient `r` allows in this second; null without a limit. `paced_until` is when the
 * steadily filled bucket is full again.
 * @see ITU-T I.371 (generic cell rate algorithm)
 */
function attemptsLeft(now: Date) {
  return sql`floor(extract(epoch from ${now}::timestamptz + interval '1 second'
    - greatest(r.paced_until, ${now}::timestamptz)) * r.rate_per_second)::integer`;
}

/**
 * Repairs a due lane whose first delivery is not due: a process died while sending a superseded notification, or the
 * recipient has chosen latest-only since.
 */
export async function advanceLane(trx: Connection, tables: DeliveryTables, clock: Clock, lane: Lane): Promise<void> {
  await lockLane(trx, tables, lane);
  await supersedeOlder(trx, tables, clock, lane);
  await scheduleLane(trx, tables, lane);
}

async function openAttempt(context: ClaimContext, row: BegunRow, startedAt: Date): Promise<BegunAttempt> {
  const { attemptId, number, deliveryId, failures, firstTriedAt, fence, recipientId, orderId } = row;
  return {
    attemptId,
    lease: { recipientId, orderId, fence },
    number,
    startedAt,
    delivery: { id: deliveryId, failures, firstTriedAt },
    url: row.url,
    rules: { acknowledgement: row.acknowledgement, deadlineMs: row.deadlineMs },
    slotsMax: row.slotsMax,
    message: await openMessage(context, row),
    traceparent: row.traceparent,
  };
}

/** Returns unreadable bytes as part of the attempt: thrown errors would be retried for ever without a dead letter. */
async function openMessage(
  { encryption, tables, openTarget }: ClaimContext,
  row: BegunRow,
): Promise<BegunAttempt["message"]> {
  const how = await openTarget(row.recipientId, row);
  if (how.kind === "unreadable") return how;
  try {
    const encrypted = { body: row.body, bodyEncoding: row.bodyEncoding, keyId: row.bodyKeyId };
    const body = await encryption.open(encrypted, { column: tables.bodyColumn, row: row.bodyRow });
    return { ...how, body };
  } catch (error) {
    return toUnreadable("sender.body_unreadable", error);
  }
}
