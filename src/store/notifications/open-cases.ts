import type { NotifiedOrder } from "../../contract/notified-orders.ts";
import type { NotificationItem } from "../../dashboard/notification-ports.ts";
import type { Clock } from "../../kernel/clock.ts";
import { newId } from "../../kernel/ids.ts";
import { caseChannel } from "../cases/case-listener.ts";
import { finishedStates } from "../cases/states.ts";
import type { Database } from "../database/database.ts";
import { type Fields, recordset } from "../database/recordset.ts";
import { type Sql, sql } from "../database/sql.ts";
import { withConflictRetries } from "../database/sql-states.ts";
import { type Connection, inTransaction } from "../database/transaction.ts";
import { hasNoCase } from "./unattended.ts";

/** The delay for repeated bytes, so that quick copies cost one status read. Later copies do not extend it. */
export const repeatedDueAfter = sql`interval '5 seconds'`;

/** Cases of a notification with more orders let other cases of their source go first. A split booking has fewer. */
const fewOrdersMax = 10;

/** Notifications per transaction, and their total of orders unless it is one notification. */
const notificationsMax = 256;
const ordersMax = 1_000;

/**
 * Opens or makes due the cases of pending notifications, oldest first; several processes may do so at once. A set that
 * the database refuses stays pending, and reconciliation opens its notifications one by one.
 * @returns how many notifications were pending, and whether more may be
 */
export async function openPendingCases(
  database: Database,
  clock: Clock,
): Promise<{ readonly opened: number; readonly mayBeMore: boolean }> {
  const { cases, ...result } = await withConflictRetries(() =>
    inTransaction(database, async (transaction) => {
      const found = await lockPending(transaction);
      const pending = upToOrders(ordersMax, found);
      const mayBeMore = pending.length < found.length || found.length === notificationsMax;
      if (pending.length === 0) return { opened: 0, mayBeMore, cases: [] };
      await releaseQuarantined(transaction, pending);
      const event = { kind: "notification.received", actor: "receiver" };
      const opened = await requeueCasesOf(transaction, pending, clock, event);
      await clearPending(transaction, pending);
      return { opened: pending.length, mayBeMore, cases: opened };
    }),
  );
  if (cases.length > 0) {
    database.announcer.announce(
      caseChannel,
      cases.map(({ id }) => id),
    );
  }
  return result;
}

export interface UsableNotification extends Pick<NotificationItem, "id" | "source" | "receivedAt" | "receipts"> {
  /** New bytes open a case; known ones make the newest case of their order due. */
  readonly isNew: boolean;
  readonly since: Date;
  readonly orders: readonly NotifiedOrder[];
  readonly traceparent: string | null;
}

interface PendingNotification extends UsableNotification {
  readonly digest: Buffer;
}

export interface WakingEvent {
  readonly kind: string;
  readonly actor: string;
}

/**
 * Makes the case of each order due, opens one where new bytes find none open, and links the notifications. Locks in the
 * same order everywhere: digests (by the caller), orders, then cases, by source and order. The caller notifies feeders and
 * announces the cases.
 */
export async function requeueCasesOf(
  transaction: Connection,
  notifications: readonly UsableNotification[],
  clock: Clock,
  event: WakingEvent,
): Promise<readonly OpenedCase[]> {
  const at = clock.now();
  const groups = groupByOrder(notifications);
  const withNew = groups.filter(({ hasNew }) => hasNew);
  const repeated = groups.filter(({ hasNew }) => !hasNew);
  await insertOrders(transaction, groups);
  // The next two statements lock cases one after the other; locking all of them first keeps the order.
  if (withNew.length > 0 && repeated.length > 0) await lockCases(transaction, groups);

  const requeued = await requeueNewestCases(transaction, repeated, at);
  const isRequeued = new Set(requeued.map(keyOf));
  const toOpen = [...withNew, ...repeated.filter((group) => !isRequeued.has(keyOf(group)))];
  const cases = [...requeued, ...(await openOrRequeueCases(transaction, toOpen, at, clock))];
  await joinCases(transaction, groups, cases, at, event);
  return cases;
}

/** Returns the first notifications that together have at most `max` orders, and always the first one. */
function upToOrders(max: number, notifications: readonly PendingNotification[]): readonly PendingNotification[] {
  let orders = 0;
  return notifications.filter((notification, index) => {
    orders += notification.orders.length;
    return index === 0 || orders <= max;
  });
}

async function lockPending(transaction: Connection): Promise<readonly PendingNotification[]> {
  const { rows } = await sql<PendingNotification>`
    select g.notification_id as id, g.source, g.digest, g.received_at as "receivedAt", g.receipts, g.pending_since as since,
      g.pending_orders as orders, g.pending_traceparent as traceparent,
      ${hasNoCase(sql`g.notification_id`)} as "isNew"
    from skedchange.notification_digests g
    where g.pending_since is not null
    order by g.pending_since
    limit ${notificationsMax}
    for update of g skip locked
  `.execute(transaction);
  return rows;
}

const usableFields: Fields = { id: "uuid", receivedAt: "timestamptz" };

/** Releases quarantined bodies that came again after the parser learnt to read them. */
async function releaseQuarantined(transaction: Connection, pending: readonly PendingNotification[]): Promise<void> {
  const repeated = pending.flatMap(({ id, receivedAt, receipts }) => (receipts > 1 ? [{ id, receivedAt }] : []));
  if (repeated.length === 0) return;
  await sql`
    update skedchange.notifications n set state = 'released'
    from ${recordset("usable", usableFields, repeated)}
    where n.id = usable.id and n.received_at = usable."receivedAt" and n.state = 'quarantined'
  `.execute(transaction);
}

const digestFields: Fields = { source: "text", digest: "text" };

export async function clearPending(
  transaction: Connection,
  pending: readonly Pick<PendingNotification, "source" | "digest">[],
): Promise<void> {
  const keys = pending.map(({ source, digest }) => ({ source, digest: digest.toString("base64") }));
  await sql`
    update skedchange.notification_digests g set pending_orders = null, pending_since = null, pending_traceparent = null
    from ${recordset("opened", digestFields, keys)}
    where g.source = opened.source and g.digest = decode(opened.digest, 'base64')
  `.execute(transaction);
}

/** The notifications of one order. */
interface OrderGroup {
  readonly source: string;
  readonly orderId: string;
  readonly references: Set<string>;
  /** Newest first. */
  traceparents: readonly string[];
  /** Whether a notification among them is new; otherwise all are repeated bytes. */
  hasNew: boolean;
  isAmongMany: boolean;
  since: Date;
  readonly notifications: UsableNotification[];
}

function groupByOrder(notifications: readonly UsableNotification[]): readonly OrderGroup[] {
  const groups = new Map<string, OrderGroup>();
  for (const notification of notifications) {
    const { source, since, isNew, orders, traceparent } = notification;
    for (const { orderId, gdsBookingReferences } of orders) {
      const key = keyOf({ source, orderId });
      const group = groups.get(key) ?? {
        source,
        orderId,
        references: new Set(),
        traceparents: [],
        hasNew: false,
        isAmongMany: true,
        since,
        notifications: [],
      };
      groups.set(key, group);
      for (const reference of gdsBookingReferences) group.references.add(reference);
      group.hasNew ||= isNew;
      group.isAmongMany &&= orders.length > fewOrdersMax;
      if (since < group.since) group.since = since;
      if (traceparent !== null) group.traceparents = [traceparent, ...group.traceparents];
      group.notifications.push(notification);
    }
  }
  return [...groups.values()];
}

function keyOf({ source, orderId }: { readonly source: string; readonly orderId: string }): string {
  return `${source}\0${orderId}`;
}

const notifiedFields: Fields = {
  source: "text",
  orderId: "text",
  references: "text[]",
  isAmongMany: "boolean",
  since: "timestamptz",
  caseId: "uuid",
  traceparents: "text[]",
};

function asRows(groups: readonly (OrderGroup & { readonly caseId?: string })[]): Sql {
  const rows = groups.map(({ references, notifications, ...group }) => ({ ...group, references: [...references] }));
  return recordset("notified", notifiedFields, rows);
}

const inLockOrder = sql`order by notified.source collate "C", notified."orderId" collate "C"`;

async function insertOrders(transaction: Connection, groups: readonly OrderGroup[]): Promise<void> {
  await sql`
    insert into skedchange.orders (source, order_id) select source, "orderId" from ${asRows(groups)} ${inLockOrder}
    on conflict (source, order_id) do nothing
  `.execute(transaction);
}

async function lockCases(transaction: Connection, groups: readonly OrderGroup[]): Promise<void> {
  await sql`
    select 1 from skedchange.cases c join ${asRows(groups)} on c.source = notified.source and c.order_id = notified."orderId"
    ${inLockOrder}, c.id
    for update of c
  `.execute(transaction);
}

export interface OpenedCase {
  readonly id: string;
  readonly source: string;
  readonly orderId: string;
}

const openedCase = sql`c.id, c.source, c.order_id as "orderId"`;

/** Case `c` yields only if nothing but a notification of many orders made it due. */
const nothingElseIsDue = sql`(c.due_at is null or c.due_at > now() or c.wake = c.yielding_wake)`;

/** The first is the parent of the work, the others are linked; so many show what was merged, whoever floods the order. */
const newestTraces = sql`[1:8]`;

function newestFirst(added: Sql): Sql {
  return sql`(${added} || c.traceparents)${newestTraces}`;
}

/** A finished case stays finished; its status is read, because an airline may go from A to B and back to A. */
async function requeueNewestCases(
  transaction: Connection,
  groups: readonly OrderGroup[],
  at: Date,
): Promise<readonly OpenedCase[]> {
  if (groups.length === 0) return [];
  const { rows } = await sql<OpenedCase>`
    with newest as (
      select notified.since, notified."isAmongMany", notified.traceparents, (
        select c.id from skedchange.cases c
        where c.source = notified.source and c.order_id = notified."orderId"
        order by c.state in ${finishedStates}, c.opened_at desc, c.id desc
        limit 1
      ) as id
      from ${asRows(groups)}
    ), locked as (
      select c.id, newest.since, newest."isAmongMany", newest.traceparents from skedchange.cases c join newest using (id)
      order by c.source collate "C", c.order_id collate "C"
      for update of c
    )
    update skedchange.cases c set
      due_at = least(c.due_at, locked.since + ${repeatedDueAfter}),
      wake = c.wake + 1,
      yielding_wake = case when locked."isAmongMany" and ${nothingElseIsDue} then c.wake + 1 end,
      traceparents = ${newestFirst(sql`locked.traceparents`)},
      updated_at = ${at}
    from locked where c.id = locked.id
    returning ${openedCase}
  `.execute(transaction);
  return rows;
}

/** New bytes open a case, or make the open one due. Uses the database's clock, with which due times are compared. */
async function openOrRequeueCases(
  transaction: Connection,
  groups: readonly OrderGroup[],
  at: Date,
  clock: Clock,
): Promise<readonly OpenedCase[]> {
  if (groups.length === 0) return [];
  const toOpen = groups.map((group) => ({ ...group, caseId: newId(clock) }));
  const { rows } = await sql<OpenedCase>`
    insert into skedchange.cases as c
      (id, source, order_id, gds_booking_references, state, due_at, yielding_wake, opened_at, updated_at, traceparents)
    select "caseId", source, "orderId", "references", 'received', now(), case when "isAmongMany" then 0 end, ${at}, ${at},
      traceparents${newestTraces}
    from ${asRows(toOpen)}
    ${inLockOrder}
    on conflict (source, order_id) where state not in ${finishedStates} do update set
      due_at = least(c.due_at, now()),
      wake = c.wake + 1,
      yielding_wake = case when excluded.yielding_wake is not null and ${nothingElseIsDue} then c.wake + 1 end,
      traceparents = ${newestFirst(sql`excluded.traceparents`)},
      gds_booking_references = c.gds_booking_references || array(
        select reference from unnest(excluded.gds_booking_references) with ordinality as added (reference, place)
        where reference <> all (c.gds_booking_references)
        order by place
      ),
      updated_at = excluded.updated_at
    returning ${openedCase}
  `.execute(transaction);
  return rows;
}

const joinFields: Fields = { caseId: "uuid", notificationId: "uuid", receivedAt: "timestamptz", detail: "jsonb" };

/** Links the notifications to the cases, and adds a timeline line each. */
async function joinCases(
  transaction: Connection,
  groups: readonly OrderGroup[],
  cases: readonly OpenedCase[],
  at: Date,
  event: WakingEvent,
): Promise<void> {
  const caseIds = new Map(cases.map((opened) => [keyOf(opened), opened.id]));
  const joins = groups.flatMap((group) =>
    group.notifications.map(({ id: notificationId, receivedAt, receipts }) => ({
      caseId: caseIds.get(keyOf(group))!,
      notificationId,
      receivedAt,
      detail: { notificationId, receipts },
    })),
  );
  const rows = recordset("joined", joinFields, joins);
  await Promise.all([
    sql`
      insert into skedchange.case_notifications (case_id, notification_id, notification_received_at, joined_at)
      select "caseId", "notificationId", "receivedAt", ${at} from ${rows}
      on conflict (case_id, notification_id) do nothing
    `.execute(transaction),
    sql`
      insert into skedchange.case_events (case_id, at, kind, actor, detail)
      select "caseId", ${at}, ${event.kind}, ${event.actor}, detail from ${rows}
    `.execute(transaction),
  ]);
}
