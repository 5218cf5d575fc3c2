import { sql } from "kysely";
import { assertNever, codeOf, messageOf } from "../../kernel/app-error.ts";
import type { Clock } from "../../kernel/clock.ts";
import { digestOfBytes } from "../../kernel/digest.ts";
import { newId } from "../../kernel/ids.ts";
import type {
  Announcement,
  BegunAttempt,
  DeliveryRules,
  DeliveryStore,
  HealthChange,
  Lane,
  LaneLease,
  LaneStore,
  NextStep,
  Reason,
  RecipientAuthorization,
  RecipientHealth,
  RecipientTarget,
  UnreadableMessage,
} from "../../sender/ports.ts";

import type { Database } from "../database/database.ts";
import { dueChannel } from "../database/due-listener.ts";
import { storeErrors } from "../database/error-codes.ts";
import type { Sealing } from "../database/sealing.ts";
import { type Connection, fromTx, inTransaction } from "../database/transaction.ts";
import { type DeliveryTables, notificationTables } from "./delivery-tables.ts";
import { openClientCertificate, openCredential, openSigningSecrets, toSealedRow } from "./recipient-credential.ts";

export interface DeliveryStoreOptions {
  readonly database: Database;
  /** For due times. Leases run on the database's own time, so that the clocks of the workers need not agree. */
  readonly clock: Clock;
}

/** Keeps the deliveries of notifications, in the schema `gateway`. */
export function createDeliveryStore(options: DeliveryStoreOptions): DeliveryStore {
  const { clock } = options;
  const { sealing } = options.database;
  return {
    ...createLaneStore(options, notificationTables),
    addAnnouncement: (tx, announcement) =>
      addAnnouncement(fromTx(tx), notificationTables, { clock, sealing }, announcement),
  };
}

/**
 * Rows are always locked in the same order, so that no two transactions wait for each other: recipient, lane, delivery.
 * Everything that moves a lane along happens under its row lock, and ends by writing down when the lane is due next.
 */
export function createLaneStore(options: DeliveryStoreOptions, tables: DeliveryTables): LaneStore {
  const { database, clock } = options;
  const { kysely, sealing } = database;

  return {
    takeDueLanes: (bounds) => inTransaction(database, (trx) => takeDueLanes(trx, tables, clock, bounds)),

    async acquireLease(lane, holder, leaseMs) {
      const { rows } = await sql<{ fence: number }>`
        update ${tables.lanes}
        set lease_fence = lease_fence + 1, leased_until = now() + ${milliseconds(leaseMs)}, leased_by = ${holder},
          dispatched_until = null
        where recipient_id = ${lane.recipientId} and order_id = ${lane.orderId}
          and due_at <= ${clock.now()} and (leased_until is null or leased_until <= now())
        returning lease_fence as fence`.execute(kysely);
      return rows[0] === undefined ? null : { ...lane, fence: rows[0].fence };
    },

    beginAttempt: (lease, leaseMs) =>
      inTransaction(database, (trx) => beginAttempt(trx, tables, { clock, sealing }, lease, leaseMs)),

    finishAttempt: (lease, attempt, result, next, health) =>
      inTransaction(database, async (trx) => {
        if (next.kind === "disable-recipient") await lockRecipient(trx, tables, lease.recipientId);
        await recordHealth(trx, tables, clock, lease.recipientId, attempt, health);
        const [held] = await Promise.all([
          lockLane(trx, tables, lease),
          sql`
            update ${tables.attempts}
            set outcome = ${result.outcome}, http_status = ${result.httpStatus}, error_code = ${result.errorCode},
              error_message = ${result.errorMessage}, answer_excerpt = ${result.answerExcerpt},
              duration_ms = ${result.durationMs},
              timings = ${result.timings === null ? null : JSON.stringify(result.timings)}
            where id = ${attempt.attemptId}`.execute(trx),
        ]);
        // An acknowledgement holds whoever has the lane now; sending again could only double it.
        if (held || next.kind === "delivered") {
          await takeStep(trx, tables, clock, lease, attempt, next);
          await scheduleLane(trx, tables, lease);
        }
        return held;
      }),

    async releaseLease(lease) {
      await sql`
        update ${tables.lanes} set leased_until = null, leased_by = null, dispatched_until = null
        where recipient_id = ${lease.recipientId} and order_id = ${lease.orderId}
          and lease_fence = ${lease.fence}`.execute(kysely);
    },

    readTarget: (recipientId) => readTarget(kysely, tables, sealing, recipientId),
  };
}

/** What writing a row takes besides its transaction. */
interface Keeping {
  readonly clock: Clock;
  readonly sealing: Sealing;
}

async function addAnnouncement(
  trx: Connection,
  tables: DeliveryTables,
  { clock, sealing }: Keeping,
  announcement: Announcement,
): Promise<number> {
  const { orderId, airline, changeId, body } = announcement;
  const now = clock.now();
  const publishKey = `${changeId}/${orderId}`;
  const sealed = await sealing.seal(body);
  const ocn = await sql<{ id: string }>`
    insert into ${tables.bodies}
      (id, change_id, order_id, airline, publish_key, digest, body, body_encoding, body_bytes, key_id, created_at)
    values (${newId(clock)}, ${changeId}, ${orderId}, ${airline}, ${publishKey}, ${digestOfBytes(body)},
      ${sealed.body}, ${sealed.bodyEncoding}, ${sealed.bodyBytes}, ${sealed.keyId}, ${now})
    on conflict (publish_key) do nothing
    returning id`.execute(trx);
  const ocnId = ocn.rows[0]?.id;
  if (ocnId === undefined) return countDeliveries(trx, tables, publishKey);

  // Shared locks until the commit: a recipient that is removed or resumed meanwhile finds these deliveries.
  const recipients = await sql<{ id: string }>`
    select id from ${tables.recipients}
    where state <> 'removed' and (airlines is null or ${airline} = any(airlines))
    order by id for share`.execute(trx);
  const recipientIds = recipients.rows.map((row) => row.id);
  if (recipientIds.length === 0) return 0;

  for (const recipientId of recipientIds) await addDelivery(trx, tables, clock, { recipientId, orderId }, ocnId);
  await notifyDue(trx);
  return recipientIds.length;
}

/** A pending delivery at the end of a lane, in the place of those that it supersedes. */
export async function addDelivery(
  trx: Connection,
  tables: DeliveryTables,
  clock: Clock,
  lane: Lane,
  bodyId: string,
): Promise<void> {
  const now = clock.now();
  await sql`
    insert into ${tables.lanes} as lane (recipient_id, order_id, due_at)
    values (${lane.recipientId}, ${lane.orderId}, ${now})
    on conflict (recipient_id, order_id) do update set due_at = coalesce(lane.due_at, excluded.due_at)`.execute(trx);
  // After the lane, and so under its row lock: positions are given out in the order of the commits.
  await sql`
    insert into ${tables.deliveries} (id, ${tables.bodyId}, recipient_id, order_id, due_at, created_at)
    values (${newId(clock)}, ${bodyId}, ${lane.recipientId}, ${lane.orderId}, ${now}, ${now})`.execute(trx);
  await supersedeOlder(trx, tables, clock, lane);
}

async function countDeliveries(trx: Connection, tables: DeliveryTables, publishKey: string): Promise<number> {
  const { rows } = await sql<{ deliveries: number }>`
    select count(*) as deliveries
    from ${tables.deliveries} d join ${tables.bodies} b on b.id = d.${tables.bodyId}
    where b.publish_key = ${publishKey} and d.replay_of is null`.execute(trx);
  return rows[0]?.deliveries ?? 0;
}

async function takeDueLanes(
  trx: Connection,
  tables: DeliveryTables,
  clock: Clock,
  bounds: Parameters<DeliveryStore["takeDueLanes"]>[0],
): Promise<readonly Lane[]> {
  // Feeders one after the other, so that two of them cannot fill the same room twice.
  await sql`select pg_advisory_xact_lock(hashtext(${tables.feederLock}))`.execute(trx);
  const isFree = sql`l.due_at <= ${clock.now()} and (l.dispatched_until is null or l.dispatched_until <= now())
    and (l.leased_until is null or l.leased_until <= now())`;
  const { rows } = await sql<Lane>`
    with busy as (
      -- One that is being delivered in is dispatched no more: it takes room of its recipient, and of nobody else.
      select recipient_id, count(*) as lanes, count(*) filter (where dispatched_until > now()) as waiting,
        count(*) filter (where dispatched_until > now() and is_retry) as waiting_retries
      from ${tables.lanes}
      where dispatched_until > now() or leased_until > now()
      group by recipient_id
    ), offered as (
      -- Whoever has least in hand comes first, and within a recipient what has waited longest.
      select due.recipient_id, due.order_id, due.due_at, due.is_retry,
        coalesce(busy.lanes, 0) + row_number() over (partition by due.recipient_id order by due.due_at) as turn
      from ${tables.recipients} r
      left join busy on busy.recipient_id = r.id
      cross join lateral (
        select l.recipient_id, l.order_id, l.due_at, l.is_retry from ${tables.lanes} l
        where l.recipient_id = r.id and ${isFree}
        order by l.due_at
        -- One that fails again and again is probed with one lane at a time, one that was stopped begins with few.
        limit greatest(least(
          case when r.failed_in_row >= ${bounds.failuresUntilHeld} then 1
            else least(coalesce(r.lanes_max, ${bounds.perRecipient}), r.ramp_lanes) end,
          ${triesLeft(clock)}) - coalesce(busy.lanes, 0), 0)
      ) due
      where r.state = 'active' and (r.held_until is null or r.held_until <= ${clock.now()})
    ), ranked as (
      select offered.*, row_number() over (partition by offered.is_retry order by turn, due_at) as place
      from offered
    ), candidates as (
      select * from ranked
      -- Retries leave room for what is tried for the first time, however many there are.
      where not is_retry or place <= ${bounds.retriesMax} - (select coalesce(sum(waiting_retries), 0) from busy)
      order by turn, due_at
      limit greatest(${bounds.limit} - (select coalesce(sum(waiting), 0) from busy), 0)
    ), chosen as (
      select l.recipient_id, l.order_id, c.turn, c.due_at
      from ${tables.lanes} l join candidates c using (recipient_id, order_id)
      -- Asked again, because a worker may have taken the lane since. A lane that is locked is being worked on.
      where ${isFree}
      for update of l skip locked
    ), taken as (
      update ${tables.lanes} l set dispatched_until = now() + ${milliseconds(bounds.dispatchMs)}
      from chosen c
      where l.recipient_id = c.recipient_id and l.order_id = c.order_id
      returning l.recipient_id, l.order_id, c.turn, c.due_at
    )
    select recipient_id as "recipientId", order_id as "orderId" from taken order by turn, due_at`.execute(trx);
  return rows;
}

/**
 * How many tries the rate of recipient `r` has left in this second; null when it has none. The second is a bucket that
 * fills up steadily: `paced_until` is when it will be full again.
 *
 * @see ITU-T I.371 (generic cell rate algorithm)
 */
function triesLeft(clock: Clock) {
  const now = sql`${clock.now()}::timestamptz`;
  return sql`floor(extract(epoch from ${now} + interval '1 second' - greatest(r.paced_until, ${now}))
    * r.rate_per_second)::integer`;
}

/** Locks a recipient whose rate is limited, and tells whether it may be tried now. */
async function hasTriesLeft(
  trx: Connection,
  tables: DeliveryTables,
  clock: Clock,
  recipientId: string,
): Promise<boolean> {
  const { rows } = await sql<{ left: number }>`
    select ${triesLeft(clock)} as left from ${tables.recipients} r
    where r.id = ${recipientId} and r.rate_per_second is not null for no key update`.execute(trx);
  return rows[0] === undefined || rows[0].left > 0;
}

async function beginAttempt(
  trx: Connection,
  tables: DeliveryTables,
  { clock, sealing }: Keeping,
  lease: LaneLease,
  leaseMs: number,
): Promise<BegunAttempt | null> {
  if (!(await hasTriesLeft(trx, tables, clock, lease.recipientId))) return null;
  if (!(await lockLane(trx, tables, lease))) return null;
  const now = clock.now();
  await supersedeOlder(trx, tables, clock, lease);
  const { rows } = await sql<HeadRow>`
    select d.id, d.attempts, d.failures, d.first_tried_at as "firstTriedAt", ${targetColumns},
      b.body, b.body_encoding as "bodyEncoding", b.key_id as "bodyKeyId"
    from ${tables.deliveries} d
    join ${tables.recipients} r on r.id = d.recipient_id
    join ${tables.bodies} b on b.id = d.${tables.bodyId}
    where d.id = (${firstPending(tables, lease)}) and d.due_at <= ${now} and r.state = 'active'
      and (r.held_until is null or r.held_until <= ${now})`.execute(trx);
  const head = rows[0];
  if (head === undefined) return null;

  const message = await openMessage(sealing, head);
  const attemptId = newId(clock);
  const number = head.attempts + 1;
  const firstTriedAt = head.firstTriedAt ?? now;
  await Promise.all([
    sql`
      update ${tables.recipients}
      set paced_until = greatest(paced_until, ${now}) + interval '1 second' / rate_per_second
      where id = ${lease.recipientId} and rate_per_second is not null`.execute(trx),
    sql`
      update ${tables.deliveries} set attempts = ${number}, first_tried_at = ${firstTriedAt}
      where id = ${head.id}`.execute(trx),
    sql`
      insert into ${tables.attempts} (id, delivery_id, number, started_at, lease_fence)
      values (${attemptId}, ${head.id}, ${number}, ${now}, ${lease.fence})`.execute(trx),
    sql`
      update ${tables.lanes} set leased_until = now() + ${milliseconds(leaseMs + (head.deadlineMs ?? 0))}
      where recipient_id = ${lease.recipientId} and order_id = ${lease.orderId}`.execute(trx),
  ]);
  return {
    attemptId,
    number,
    startedAt: now,
    delivery: { id: head.id, failures: head.failures, firstTriedAt },
    url: head.url,
    rules: { acknowledgement: head.acknowledgement, deadlineMs: head.deadlineMs },
    message,
  };
}

/**
 * Bytes that cannot be opened are part of the attempt, and not an error of it: thrown from here, the lane would be tried
 * for ever without a trace that people can find, and never end in the dead-letter list.
 */
async function openMessage(sealing: Sealing, head: HeadRow): Promise<BegunAttempt["message"]> {
  const how = await openTarget(sealing, head);
  if (how.kind === "unreadable") return how;
  try {
    const body = await sealing.open({ body: head.body, bodyEncoding: head.bodyEncoding, keyId: head.bodyKeyId });
    return { ...how, body };
  } catch (error) {
    return unreadable("sender.body_unreadable", error);
  }
}

async function openTarget(sealing: Sealing, row: TargetRow): Promise<RecipientTarget["message"]> {
  try {
    const authorization = await openCredential(sealing, row.authType, {
      body: row.credential,
      bodyEncoding: row.credentialEncoding,
      keyId: row.credentialKeyId,
    });
    const signing = toSealedRow(row.signingSecrets, row.signingSecretsEncoding, row.signingSecretsKeyId);
    const signingSecrets = signing === null ? [] : await openSigningSecrets(sealing, signing);
    const certificate = toSealedRow(row.clientCertificate, row.clientCertificateEncoding, row.clientCertificateKeyId);
    const clientCertificate = certificate === null ? null : await openClientCertificate(sealing, certificate);
    return { kind: "readable", authorization, signingSecrets, clientCertificate };
  } catch (error) {
    return unreadable("sender.credential_unreadable", error);
  }
}

function unreadable(code: UnreadableMessage["reason"]["code"], error: unknown): UnreadableMessage {
  if (codeOf(error) !== storeErrors.cannotOpen) throw error;
  return { kind: "unreadable", reason: { code, message: messageOf(error) } };
}

async function readTarget(
  executor: Connection,
  tables: DeliveryTables,
  sealing: Sealing,
  recipientId: string,
): Promise<RecipientTarget | null> {
  const { rows } = await sql<TargetRow>`
    select ${targetColumns} from ${tables.recipients} r
    where r.id = ${recipientId} and r.state <> 'removed'`.execute(executor);
  const row = rows[0];
  if (row === undefined) return null;
  const { url, acknowledgement, deadlineMs } = row;
  return { url, rules: { acknowledgement, deadlineMs }, message: await openTarget(sealing, row) };
}

/** Of a recipient `r`. */
const targetColumns = sql`
  r.url, r.acknowledgement, r.deadline_ms as "deadlineMs", r.auth_type as "authType",
  r.credential, r.credential_encoding as "credentialEncoding", r.key_id as "credentialKeyId",
  r.signing_secrets as "signingSecrets", r.signing_secrets_encoding as "signingSecretsEncoding",
  r.signing_secrets_key_id as "signingSecretsKeyId",
  r.client_certificate as "clientCertificate", r.client_certificate_encoding as "clientCertificateEncoding",
  r.client_certificate_key_id as "clientCertificateKeyId"`;

interface TargetRow {
  readonly url: string;
  readonly acknowledgement: DeliveryRules["acknowledgement"];
  readonly deadlineMs: number | null;
  readonly authType: RecipientAuthorization["type"];
  readonly credential: Buffer;
  readonly credentialEncoding: string;
  readonly credentialKeyId: string | null;
  readonly signingSecrets: Buffer | null;
  readonly signingSecretsEncoding: string | null;
  readonly signingSecretsKeyId: string | null;
  readonly clientCertificate: Buffer | null;
  readonly clientCertificateEncoding: string | null;
  readonly clientCertificateKeyId: string | null;
}

interface HeadRow extends TargetRow {
  readonly id: string;
  readonly attempts: number;
  readonly failures: number;
  readonly firstTriedAt: Date | null;
  readonly body: Buffer;
  readonly bodyEncoding: string;
  readonly bodyKeyId: string | null;
}

/** Changes the delivery as the attempt says; one that has ended meanwhile, such as by removal, stays as it is. */
async function takeStep(
  trx: Connection,
  tables: DeliveryTables,
  clock: Clock,
  lease: LaneLease,
  attempt: BegunAttempt,
  next: NextStep,
): Promise<void> {
  const now = clock.now();
  const { id } = attempt.delivery;
  switch (next.kind) {
    case "delivered":
      await sql`
        update ${tables.deliveries} set state = 'delivered', failures = 0, finished_at = ${now}
        where id = ${id} and state = 'pending'`.execute(trx);
      return;
    case "retry":
      await sql`
        update ${tables.deliveries} set failures = failures + 1, due_at = ${next.dueAt}
        where id = ${id} and state = 'pending'`.execute(trx);
      await supersedeOlder(trx, tables, clock, lease);
      return;
    case "dead":
      await sql`
        update ${tables.deliveries}
        set state = 'dead', failures = failures + 1, dead_reason = ${JSON.stringify(next.reason)}, finished_at = ${now}
        where id = ${id} and state = 'pending'`.execute(trx);
      return;
    case "disable-recipient":
      await disableRecipient(trx, tables, now, lease.recipientId, attempt, next.reason);
      return;
    case "again":
      return;
    default:
      assertNever(next);
  }
}

/** Counts what a try said about its recipient, and holds the recipient back or disables it as that demands. */
async function recordHealth(
  trx: Connection,
  tables: DeliveryTables,
  clock: Clock,
  recipientId: string,
  attempt: BegunAttempt,
  health: HealthChange,
): Promise<void> {
  const now = clock.now();
  switch (health.kind) {
    case "unchanged":
      return;
    case "well":
      await sql`
        update ${tables.recipients}
        set failed_in_row = 0, failing_since = null, failing_notices = 0, held_until = null, held_because = null,
          -- As many more lanes as acknowledgements: twice as many each round, as with a new connection of TCP.
          ramp_lanes = case when ramp_lanes < ${rampEnd} then ramp_lanes + 1 end
        where id = ${recipientId}
          and (failed_in_row > 0 or held_until is not null or ramp_lanes is not null)`.execute(trx);
      return;
    case "failed": {
      // Not when its URL was corrected while the attempt was under way: the answer is about the old one.
      const { rows } = await sql<RecipientHealth>`
        update ${tables.recipients}
        set failed_in_row = failed_in_row + 1, failing_since = coalesce(failing_since, ${attempt.startedAt})
        where id = ${recipientId} and state = 'active' and url = ${attempt.url}
        returning failed_in_row as "failedInRow", failing_since as "failingSince",
          failing_notices as "notices"`.execute(trx);
      const verdict = rows[0] === undefined ? null : health.judge(rows[0]);
      if (verdict !== null && verdict.kind !== "disable") {
        await sql`
          update ${tables.recipients} set failing_notices = ${verdict.notices}
          where id = ${recipientId} and failing_notices <> ${verdict.notices}`.execute(trx);
      }
      if (verdict?.kind === "hold") {
        await sql`
          update ${tables.recipients}
          set held_until = ${verdict.hold.until}, held_because = ${verdict.hold.because}, ramp_lanes = 1
          where id = ${recipientId} and (held_until is null or held_until < ${verdict.hold.until})`.execute(trx);
      } else if (verdict?.kind === "disable") {
        await disableRecipient(trx, tables, now, recipientId, attempt, verdict.reason);
      }
      return;
    }
    default:
      assertNever(health);
  }
}

/** From so many lanes on, a recipient has as many as it may have. The most that it can be allowed. */
const rampEnd = 64;

/** Not when its URL was corrected while the attempt was under way: the answer is about the old one. */
async function disableRecipient(
  trx: Connection,
  tables: DeliveryTables,
  now: Date,
  recipientId: string,
  attempt: BegunAttempt,
  reason: Reason,
): Promise<void> {
  await sql`
    update ${tables.recipients}
    set state = 'disabled', state_reason = ${JSON.stringify(reason)}, state_changed_at = ${now}, updated_at = ${now}
    where id = ${recipientId} and state = 'active' and url = ${attempt.url}`.execute(trx);
}

/**
 * Ends the deliveries of a lane that a newer notification makes pointless, at a recipient that wants the latest only. What
 * a person had replayed is sent as asked, and so is what is on its way right now: it is looked at again when its try ends.
 * The caller holds the lane's row lock, or has just added to the lane.
 */
async function supersedeOlder(trx: Connection, tables: DeliveryTables, clock: Clock, lane: Lane): Promise<void> {
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
  if (superseded.numAffectedRows !== 0n) await scheduleLane(trx, tables, lane);
}

async function lockRecipient(trx: Connection, tables: DeliveryTables, recipientId: string): Promise<void> {
  await sql`select from ${tables.recipients} where id = ${recipientId} for no key update`.execute(trx);
}

/** Locks the lane for this transaction and tells whether the lease still holds. */
async function lockLane(trx: Connection, tables: DeliveryTables, lease: LaneLease): Promise<boolean> {
  // The fence alone decides: while nobody else took the lane, being late does no harm.
  const { rows } = await sql<{ fence: number }>`
    select lease_fence as fence from ${tables.lanes}
    where recipient_id = ${lease.recipientId} and order_id = ${lease.orderId} for update`.execute(trx);
  return rows[0]?.fence === lease.fence;
}

/** Writes down when the lane is due next. The caller holds its row lock. */
export async function scheduleLane(executor: Connection, tables: DeliveryTables, lane: Lane): Promise<void> {
  await sql`
    update ${tables.lanes} l set due_at = d.due_at, is_retry = coalesce(d.failures > 0, false)
    from (select (${firstPending(tables, lane)}) as id) as first left join ${tables.deliveries} d on d.id = first.id
    where l.recipient_id = ${lane.recipientId} and l.order_id = ${lane.orderId}`.execute(executor);
}

/** Wakes the feeders of all processes when the transaction commits. */
export async function notifyDue(executor: Connection): Promise<void> {
  await sql`select pg_notify(${dueChannel}, '')`.execute(executor);
}

function firstPending(tables: DeliveryTables, lane: Lane) {
  return sql`
    select id from ${tables.deliveries}
    where recipient_id = ${lane.recipientId} and order_id = ${lane.orderId} and state = 'pending'
    order by position limit 1`;
}

function milliseconds(count: number) {
  return sql`make_interval(secs => ${count / 1_000})`;
}
