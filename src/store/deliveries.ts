import { type Kysely, sql, type Transaction } from "kysely";
import { assertNever, codeOf, messageOf } from "../kernel/app-error.ts";
import type { Clock } from "../kernel/clock.ts";
import { digestOfBytes } from "../kernel/digest.ts";
import { newId } from "../kernel/ids.ts";
import type { Secret } from "../kernel/secret.ts";
import type {
  Announcement,
  BegunAttempt,
  DeliveryRules,
  DeliveryStore,
  HealthChange,
  Lane,
  LaneLease,
  NextStep,
  Reason,
  RecipientAuthorization,
  RecipientHealth,
  UnreadableMessage,
} from "../sender/ports.ts";

import { type Database, fromTx } from "./database.ts";
import { dueChannel } from "./due-listener.ts";
import { storeErrors } from "./error-codes.ts";
import { openCredential, openSigningSecrets } from "./recipient-credential.ts";
import type { Sealing } from "./sealing.ts";
import type { Tables } from "./tables.ts";

export interface DeliveryStoreOptions {
  readonly database: Database;
  /** For due times. Leases run on the database's own time, so that the clocks of the workers need not agree. */
  readonly clock: Clock;
}

/**
 * Keeps deliveries in the schema `gateway`.
 *
 * Rows are always locked in the same order, so that no two transactions wait for each other: recipient, lane, delivery.
 * Everything that moves a lane along happens under its row lock, and ends by writing down when the lane is due next.
 */
export function createDeliveryStore(options: DeliveryStoreOptions): DeliveryStore {
  const { clock } = options;
  const { kysely, sealing } = options.database;

  return {
    addAnnouncement: (tx, announcement) => addAnnouncement(fromTx(tx), { clock, sealing }, announcement),

    takeDueLanes: (bounds) => kysely.transaction().execute((trx) => takeDueLanes(trx, clock, bounds)),

    async acquireLease(lane, holder, leaseMs) {
      const { rows } = await sql<{ fence: number }>`
        update gateway.lanes
        set lease_fence = lease_fence + 1, leased_until = now() + ${milliseconds(leaseMs)}, leased_by = ${holder},
          dispatched_until = null
        where recipient_id = ${lane.recipientId} and order_id = ${lane.orderId}
          and due_at <= ${clock.now()} and (leased_until is null or leased_until <= now())
        returning lease_fence as fence`.execute(kysely);
      return rows[0] === undefined ? null : { ...lane, fence: rows[0].fence };
    },

    beginAttempt: (lease, leaseMs) =>
      kysely.transaction().execute((trx) => beginAttempt(trx, { clock, sealing }, lease, leaseMs)),

    finishAttempt: (lease, attempt, result, next, health) =>
      kysely.transaction().execute(async (trx) => {
        if (next.kind === "disable-recipient") await lockRecipient(trx, lease.recipientId);
        await recordHealth(trx, clock, lease.recipientId, attempt, health);
        const held = await lockLane(trx, lease);
        await sql`
          update gateway.attempts
          set outcome = ${result.outcome}, http_status = ${result.httpStatus}, error_code = ${result.errorCode},
            error_message = ${result.errorMessage}, answer_excerpt = ${result.answerExcerpt},
            duration_ms = ${result.durationMs}
          where id = ${attempt.attemptId}`.execute(trx);
        // An acknowledgement holds whoever has the lane now; sending again could only double it.
        if (held || next.kind === "delivered") {
          await takeStep(trx, clock, lease, attempt, next);
          await scheduleLane(trx, lease);
        }
        return held;
      }),

    async releaseLease(lease) {
      await sql`
        update gateway.lanes set leased_until = null, leased_by = null, dispatched_until = null
        where recipient_id = ${lease.recipientId} and order_id = ${lease.orderId}
          and lease_fence = ${lease.fence}`.execute(kysely);
    },
  };
}

/** What writing a row takes besides its transaction. */
interface Keeping {
  readonly clock: Clock;
  readonly sealing: Sealing;
}

async function addAnnouncement(
  trx: Transaction<Tables>,
  { clock, sealing }: Keeping,
  announcement: Announcement,
): Promise<number> {
  const { orderId, airline, changeId, body } = announcement;
  const now = clock.now();
  const publishKey = `${changeId}/${orderId}`;
  const sealed = await sealing.seal(body);
  const ocn = await sql<{ id: string }>`
    insert into gateway.ocn_bodies
      (id, change_id, order_id, airline, publish_key, digest, body, body_encoding, body_bytes, key_id, created_at)
    values (${newId(clock)}, ${changeId}, ${orderId}, ${airline}, ${publishKey}, ${digestOfBytes(body)},
      ${sealed.body}, ${sealed.bodyEncoding}, ${sealed.bodyBytes}, ${sealed.keyId}, ${now})
    on conflict (publish_key) do nothing
    returning id`.execute(trx);
  const ocnId = ocn.rows[0]?.id;
  if (ocnId === undefined) return countDeliveries(trx, publishKey);

  // Shared locks until the commit: a recipient that is removed or resumed meanwhile finds these deliveries.
  const recipients = await sql<{ id: string }>`
    select id from gateway.recipients
    where state <> 'removed' and (airlines is null or ${airline} = any(airlines))
    order by id for share`.execute(trx);
  const recipientIds = recipients.rows.map((row) => row.id);
  if (recipientIds.length === 0) return 0;

  for (const recipientId of recipientIds) await addDelivery(trx, clock, { recipientId, orderId }, ocnId);
  await notifyDue(trx);
  return recipientIds.length;
}

/** A pending delivery at the end of a lane, in the place of those that it supersedes. */
export async function addDelivery(trx: Transaction<Tables>, clock: Clock, lane: Lane, ocnId: string): Promise<void> {
  const now = clock.now();
  await sql`
    insert into gateway.lanes (recipient_id, order_id, due_at) values (${lane.recipientId}, ${lane.orderId}, ${now})
    on conflict (recipient_id, order_id) do update set due_at = coalesce(lanes.due_at, excluded.due_at)`.execute(trx);
  // After the lane, and so under its row lock: positions are given out in the order of the commits.
  await sql`
    insert into gateway.deliveries (id, ocn_id, recipient_id, order_id, due_at, created_at)
    values (${newId(clock)}, ${ocnId}, ${lane.recipientId}, ${lane.orderId}, ${now}, ${now})`.execute(trx);
  await supersedeOlder(trx, clock, lane);
}

async function countDeliveries(trx: Transaction<Tables>, publishKey: string): Promise<number> {
  const { rows } = await sql<{ deliveries: number }>`
    select count(*) as deliveries
    from gateway.deliveries d join gateway.ocn_bodies b on b.id = d.ocn_id
    where b.publish_key = ${publishKey} and d.replay_of is null`.execute(trx);
  return rows[0]?.deliveries ?? 0;
}

async function takeDueLanes(
  trx: Transaction<Tables>,
  clock: Clock,
  bounds: Parameters<DeliveryStore["takeDueLanes"]>[0],
): Promise<readonly Lane[]> {
  // Feeders one after the other, so that two of them cannot fill the same room twice.
  await sql`select pg_advisory_xact_lock(hashtext('gateway.take_due_lanes'))`.execute(trx);
  const isFree = sql`l.due_at <= ${clock.now()} and (l.dispatched_until is null or l.dispatched_until <= now())
    and (l.leased_until is null or l.leased_until <= now())`;
  const { rows } = await sql<Lane>`
    with busy as (
      select recipient_id, count(*) as lanes from gateway.lanes
      where dispatched_until > now() or leased_until > now()
      group by recipient_id
    ), candidates as (
      -- Whoever has least in hand comes first, and within a recipient what has waited longest.
      select due.recipient_id, due.order_id, due.due_at,
        coalesce(busy.lanes, 0) + row_number() over (partition by due.recipient_id order by due.due_at) as turn
      from gateway.recipients r
      left join busy on busy.recipient_id = r.id
      cross join lateral (
        select l.recipient_id, l.order_id, l.due_at from gateway.lanes l
        where l.recipient_id = r.id and ${isFree}
        order by l.due_at
        -- One that fails again and again is probed with one lane at a time.
        limit greatest(
          case when r.failed_in_row >= ${bounds.failuresUntilHeld} then 1 else coalesce(r.lanes_max, ${bounds.perRecipient}) end
            - coalesce(busy.lanes, 0), 0)
      ) due
      where r.state = 'active' and (r.held_until is null or r.held_until <= ${clock.now()})
      order by turn, due.due_at
      limit greatest(${bounds.limit} - (select coalesce(sum(lanes), 0) from busy), 0)
    ), chosen as (
      select l.recipient_id, l.order_id, c.turn, c.due_at
      from gateway.lanes l join candidates c using (recipient_id, order_id)
      -- Asked again, because a worker may have taken the lane since. A lane that is locked is being worked on.
      where ${isFree}
      for update of l skip locked
    ), taken as (
      update gateway.lanes l set dispatched_until = now() + ${milliseconds(bounds.dispatchMs)}
      from chosen c
      where l.recipient_id = c.recipient_id and l.order_id = c.order_id
      returning l.recipient_id, l.order_id, c.turn, c.due_at
    )
    select recipient_id as "recipientId", order_id as "orderId" from taken order by turn, due_at`.execute(trx);
  return rows;
}

async function beginAttempt(
  trx: Transaction<Tables>,
  { clock, sealing }: Keeping,
  lease: LaneLease,
  leaseMs: number,
): Promise<BegunAttempt | null> {
  if (!(await lockLane(trx, lease))) return null;
  const now = clock.now();
  await supersedeOlder(trx, clock, lease);
  const { rows } = await sql<HeadRow>`
    select d.id, d.attempts, d.failures, d.first_tried_at as "firstTriedAt",
      r.url, r.acknowledgement, r.deadline_ms as "deadlineMs", r.auth_type as "authType", r.credential, r.credential_encoding as "credentialEncoding",
      r.key_id as "credentialKeyId", r.signing_secrets as "signingSecrets",
      r.signing_secrets_encoding as "signingSecretsEncoding", r.signing_secrets_key_id as "signingSecretsKeyId",
      b.body, b.body_encoding as "bodyEncoding", b.key_id as "bodyKeyId"
    from gateway.deliveries d
    join gateway.recipients r on r.id = d.recipient_id
    join gateway.ocn_bodies b on b.id = d.ocn_id
    where d.id = (${firstPending(lease)}) and d.due_at <= ${now} and r.state = 'active'
      and (r.held_until is null or r.held_until <= ${now})`.execute(trx);
  const head = rows[0];
  if (head === undefined) return null;

  const message = await openMessage(sealing, head);
  const attemptId = newId(clock);
  const number = head.attempts + 1;
  const firstTriedAt = head.firstTriedAt ?? now;
  await sql`
    update gateway.deliveries set attempts = ${number}, first_tried_at = ${firstTriedAt}
    where id = ${head.id}`.execute(trx);
  await sql`
    insert into gateway.attempts (id, delivery_id, number, started_at, lease_fence)
    values (${attemptId}, ${head.id}, ${number}, ${now}, ${lease.fence})`.execute(trx);
  await sql`
    update gateway.lanes set leased_until = now() + ${milliseconds(leaseMs)}
    where recipient_id = ${lease.recipientId} and order_id = ${lease.orderId}`.execute(trx);
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
  const unreadable = (code: UnreadableMessage["reason"]["code"], error: unknown): UnreadableMessage => {
    if (codeOf(error) !== storeErrors.cannotOpen) throw error;
    return { kind: "unreadable", reason: { code, message: messageOf(error) } };
  };
  let authorization: RecipientAuthorization;
  let signingSecrets: readonly Secret[] = [];
  try {
    authorization = await openCredential(sealing, head.authType, {
      body: head.credential,
      bodyEncoding: head.credentialEncoding,
      keyId: head.credentialKeyId,
    });
    if (head.signingSecrets !== null && head.signingSecretsEncoding !== null) {
      signingSecrets = await openSigningSecrets(sealing, {
        body: head.signingSecrets,
        bodyEncoding: head.signingSecretsEncoding,
        keyId: head.signingSecretsKeyId,
      });
    }
  } catch (error) {
    return unreadable("sender.credential_unreadable", error);
  }
  try {
    const body = await sealing.open({ body: head.body, bodyEncoding: head.bodyEncoding, keyId: head.bodyKeyId });
    return { kind: "readable", authorization, signingSecrets, body };
  } catch (error) {
    return unreadable("sender.body_unreadable", error);
  }
}

interface HeadRow {
  readonly id: string;
  readonly attempts: number;
  readonly failures: number;
  readonly firstTriedAt: Date | null;
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
  readonly body: Buffer;
  readonly bodyEncoding: string;
  readonly bodyKeyId: string | null;
}

/** Changes the delivery as the attempt says; one that has ended meanwhile, such as by removal, stays as it is. */
async function takeStep(
  trx: Transaction<Tables>,
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
        update gateway.deliveries set state = 'delivered', failures = 0, finished_at = ${now}
        where id = ${id} and state = 'pending'`.execute(trx);
      return;
    case "retry":
      await sql`
        update gateway.deliveries set failures = failures + 1, due_at = ${next.dueAt}
        where id = ${id} and state = 'pending'`.execute(trx);
      await supersedeOlder(trx, clock, lease);
      return;
    case "dead":
      await sql`
        update gateway.deliveries
        set state = 'dead', failures = failures + 1, dead_reason = ${JSON.stringify(next.reason)}, finished_at = ${now}
        where id = ${id} and state = 'pending'`.execute(trx);
      return;
    case "disable-recipient":
      await disableRecipient(trx, now, lease.recipientId, attempt, next.reason);
      return;
    case "again":
      return;
    default:
      assertNever(next);
  }
}

/** Counts what a try said about its recipient, and holds the recipient back or disables it as that demands. */
async function recordHealth(
  trx: Transaction<Tables>,
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
        update gateway.recipients
        set failed_in_row = 0, failing_since = null, held_until = null, held_because = null
        where id = ${recipientId} and (failed_in_row > 0 or held_until is not null)`.execute(trx);
      return;
    case "failed": {
      // Not when its URL was corrected while the attempt was under way: the answer is about the old one.
      const { rows } = await sql<RecipientHealth>`
        update gateway.recipients
        set failed_in_row = failed_in_row + 1, failing_since = coalesce(failing_since, ${attempt.startedAt})
        where id = ${recipientId} and state = 'active' and url = ${attempt.url}
        returning failed_in_row as "failedInRow", failing_since as "failingSince"`.execute(trx);
      const verdict = rows[0] === undefined ? null : health.judge(rows[0]);
      if (verdict?.kind === "hold") {
        await sql`
          update gateway.recipients set held_until = ${verdict.hold.until}, held_because = ${verdict.hold.because}
          where id = ${recipientId} and (held_until is null or held_until < ${verdict.hold.until})`.execute(trx);
      } else if (verdict?.kind === "disable") {
        await disableRecipient(trx, now, recipientId, attempt, verdict.reason);
      }
      return;
    }
    default:
      assertNever(health);
  }
}

/** Not when its URL was corrected while the attempt was under way: the answer is about the old one. */
async function disableRecipient(
  trx: Transaction<Tables>,
  now: Date,
  recipientId: string,
  attempt: BegunAttempt,
  reason: Reason,
): Promise<void> {
  await sql`
    update gateway.recipients
    set state = 'disabled', state_reason = ${JSON.stringify(reason)}, state_changed_at = ${now}, updated_at = ${now}
    where id = ${recipientId} and state = 'active' and url = ${attempt.url}`.execute(trx);
}

/**
 * Ends the deliveries of a lane that a newer notification makes pointless, at a recipient that wants the latest only. What
 * a person had replayed is sent as asked, and so is what is on its way right now: it is looked at again when its try ends.
 * The caller holds the lane's row lock, or has just added to the lane.
 */
async function supersedeOlder(trx: Transaction<Tables>, clock: Clock, lane: Lane): Promise<void> {
  const superseded = await sql`
    with newest as (
      select id, position from gateway.deliveries
      where recipient_id = ${lane.recipientId} and order_id = ${lane.orderId} and state = 'pending'
        and replay_of is null
      order by position desc limit 1
    )
    update gateway.deliveries d set state = 'superseded', superseded_by = newest.id, finished_at = ${clock.now()}
    from newest, gateway.recipients r
    where r.id = ${lane.recipientId} and r.ordering = 'latest'
      and d.recipient_id = ${lane.recipientId} and d.order_id = ${lane.orderId} and d.state = 'pending'
      and d.replay_of is null and d.position < newest.position
      and not exists (
        select from gateway.attempts a where a.delivery_id = d.id and a.number = d.attempts and a.outcome is null
          and exists (
            select from gateway.lanes l where l.recipient_id = d.recipient_id and l.order_id = d.order_id
              and l.lease_fence = a.lease_fence and l.leased_until > now()))`.execute(trx);
  if (superseded.numAffectedRows !== 0n) await scheduleLane(trx, lane);
}

async function lockRecipient(trx: Transaction<Tables>, recipientId: string): Promise<void> {
  await sql`select from gateway.recipients where id = ${recipientId} for no key update`.execute(trx);
}

/** Locks the lane for this transaction and tells whether the lease still holds. */
async function lockLane(trx: Transaction<Tables>, lease: LaneLease): Promise<boolean> {
  // The fence alone decides: while nobody else took the lane, being late does no harm.
  const { rows } = await sql<{ fence: number }>`
    select lease_fence as fence from gateway.lanes
    where recipient_id = ${lease.recipientId} and order_id = ${lease.orderId} for update`.execute(trx);
  return rows[0]?.fence === lease.fence;
}

/** Writes down when the lane is due next. The caller holds its row lock. */
export async function scheduleLane(executor: Kysely<Tables>, lane: Lane): Promise<void> {
  await sql`
    update gateway.lanes set due_at = (select due_at from gateway.deliveries where id = (${firstPending(lane)}))
    where recipient_id = ${lane.recipientId} and order_id = ${lane.orderId}`.execute(executor);
}

/** Wakes the feeders of all processes when the transaction commits. */
export async function notifyDue(executor: Kysely<Tables>): Promise<void> {
  await sql`select pg_notify(${dueChannel}, '')`.execute(executor);
}

function firstPending(lane: Lane) {
  return sql`
    select id from gateway.deliveries
    where recipient_id = ${lane.recipientId} and order_id = ${lane.orderId} and state = 'pending'
    order by position limit 1`;
}

function milliseconds(count: number) {
  return sql`make_interval(secs => ${count / 1_000})`;
}
