import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { codeOf } from "../../kernel/app-error.ts";
import { type BackOffPolicy, backOffMs } from "../../kernel/back-off.ts";
import { type Clock, systemClock } from "../../kernel/clock.ts";
import { newId } from "../../kernel/ids.ts";
import type { IncomingNotification, NotificationStore, NotifiedOrder, RecordingOutcome } from "../../receiver/ports.ts";
import { caseChannel } from "../cases/case-listener.ts";
import { finishedList } from "../cases/states.ts";
import { type BatchStatement, createBatchStatement } from "../database/batch-statement.ts";
import type { Database } from "../database/database.ts";
import { dueChannel } from "../database/due-listener.ts";
import type { Sealed } from "../database/sealing.ts";

export interface NotificationStoreOptions {
  readonly clock?: Clock;
  /** Called after each commit, so that a feeder in the same process need not wait for the database's notification. */
  readonly onCommitted?: () => void;
}

/**
 * A known body makes its cases due again after this time, not at once: copies that follow each other quickly cost one
 * look at the status. The first copy sets the time and later ones do not move it, so a steady stream cannot put it off.
 */
export const repeatedDueAfter = "interval '5 seconds'";

/** Cases of a notification of more orders than these let others of their source go first. A split booking has fewer. */
const fewOrdersMax = 10;

/** Longest wait for one statement; a database that hangs must look like one that is away. */
const statementTimeoutMs = 10_000;

/** Tries of one transaction that lost against another one. */
const conflictTriesMax = 5;
const conflictBackOff: BackOffPolicy = { baseMs: 10, capMs: 200, jitter: 0.5 };

/** Notifications, their receipts, and the cases that they open and wake, in PostgreSQL. */
export function createNotificationStore(database: Database, options: NotificationStoreOptions = {}): NotificationStore {
  const { clock = systemClock, onCommitted } = options;

  const commit = async (rows: readonly SealedNotification[]): Promise<readonly RecordingOutcome[]> => {
    const outcomes = await withConflictRetries(() =>
      inWakingTransaction(database.pool, (client) => recordRows(client, rows, clock)),
    );
    onCommitted?.();
    return outcomes;
  };

  /** Each row in a transaction of its own, so that only those which the database refuses are lost. */
  const commitEach = async (rows: readonly SealedNotification[]): Promise<readonly RecordingOutcome[]> => {
    const outcomes: RecordingOutcome[] = [];
    for (const row of rows) {
      try {
        outcomes.push(...(await commit([row])));
      } catch (error) {
        outcomes.push({ recorded: false, reason: isRefusal(error) ? "refused" : "unavailable", error });
      }
    }
    return outcomes;
  };

  return {
    async recordBatch(batch) {
      if (batch.length === 0) return [];
      // Before the transaction, which must be short: others wait for its locks.
      const sealed = await Promise.all(
        batch.map(async (notification) => ({ notification, sealed: await database.sealing.seal(notification.body) })),
      );
      const sorted = sealed.toSorted((a, b) => compareKeys(digestKeyOf(a.notification), digestKeyOf(b.notification)));
      let outcomes: readonly RecordingOutcome[];
      try {
        outcomes = await commit(sorted);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        outcomes = await commitEach(sorted);
      }
      const byRow = new Map(sorted.map(({ notification }, index) => [notification, outcomes[index]!]));
      return batch.map((notification) => byRow.get(notification)!);
    },
  };
}

interface SealedNotification {
  readonly notification: IncomingNotification;
  readonly sealed: Sealed;
}

/** A notification that is stored already and turns out to be usable. */
export interface UsableNotification {
  readonly id: string;
  readonly source: string;
  readonly receivedAt: Date;
  readonly receipts: number;
  readonly orders: readonly NotifiedOrder[];
}

/**
 * Opens or wakes the case of each order of a stored notification, as if it had come now. Belongs into a transaction that
 * has locked its digest.
 *
 * @returns the case of each order.
 */
export async function wakeCasesOf(
  client: pg.PoolClient,
  notification: UsableNotification,
  clock: Clock,
  event: WakingEvent,
): Promise<readonly { readonly id: string; readonly orderId: string }[]> {
  const { id, receivedAt, receipts } = notification;
  const lanes = readLanes([{ notification, isNew: true, notificationId: id, receivedAt, receipts }]);
  const caseIds = await wakeCases(client, lanes, clock, event);
  return lanes.map(({ source, orderId }) => ({ id: caseIds.get(`${source}\0${orderId}`)!, orderId }));
}

/** A notification together with the row that holds its bytes: its own, or the one that was there. */
interface Receipt {
  readonly notification: Pick<IncomingNotification, "source" | "orders">;
  readonly isNew: boolean;
  readonly notificationId: string;
  readonly receivedAt: Date;
  readonly receipts: number;
}

/** The work that a batch causes on one order. */
interface Lane {
  readonly source: string;
  readonly orderId: string;
  readonly references: Set<string>;
  /** Whether a body among them is new; otherwise all are known bodies that came again. */
  hasNew: boolean;
  /** Whether each body among them names many orders. */
  isAmongMany: boolean;
  readonly receipts: Receipt[];
}

/**
 * One batch inside its transaction. Every lock is taken in one order, the same in every process: digests by source and
 * digest, then orders, then cases, both by source and order. Otherwise batches that overlap deadlock.
 */
async function recordRows(
  client: pg.PoolClient,
  rows: readonly SealedNotification[],
  clock: Clock,
): Promise<readonly RecordingOutcome[]> {
  const receipts = await countReceipts(client, rows);
  await insertNotifications.run(
    client,
    rows.filter((_, index) => receipts[index]!.isNew),
  );
  await releaseQuarantined.run(
    client,
    receipts.filter(({ isNew, notification }) => !isNew && notification.orders.length > 0),
  );
  const lanes = readLanes(receipts);
  if (lanes.length > 0) await wakeCases(client, lanes, clock, { kind: "notification.received", actor: "receiver" });
  return receipts.map(({ notificationId, receipts: count }) => ({ recorded: true, notificationId, receipts: count }));
}

async function countReceipts(client: pg.PoolClient, rows: readonly SealedNotification[]): Promise<readonly Receipt[]> {
  const counted = await upsertDigests.run(client, rows);
  const byDigest = new Map(counted.map((row) => [digestKeyOf(row).toString("base64"), row]));
  return rows.map(({ notification }) => {
    const row = byDigest.get(digestKeyOf(notification).toString("base64"))!;
    return {
      notification,
      isNew: row.notification_id === notification.id,
      notificationId: row.notification_id,
      receivedAt: row.received_at,
      receipts: row.receipts,
    };
  });
}

function readLanes(receipts: readonly Receipt[]): readonly Lane[] {
  const lanes = new Map<string, Lane>();
  for (const receipt of receipts) {
    for (const order of receipt.notification.orders) {
      const lane = laneOf(lanes, receipt.notification.source, order);
      for (const reference of order.gdsBookingReferences) lane.references.add(reference);
      lane.receipts.push(receipt);
      lane.hasNew ||= receipt.isNew;
      lane.isAmongMany &&= receipt.notification.orders.length > fewOrdersMax;
    }
  }
  return [...lanes.values()].sort((a, b) => compareKeys(laneKeyOf(a), laneKeyOf(b)));
}

function laneOf(lanes: Map<string, Lane>, source: string, { orderId }: NotifiedOrder): Lane {
  const key = `${source}\0${orderId}`;
  const known = lanes.get(key);
  if (known !== undefined) return known;
  const lane: Lane = { source, orderId, references: new Set(), hasNew: false, isAmongMany: true, receipts: [] };
  lanes.set(key, lane);
  return lane;
}

/** What the timelines of the woken cases say. */
interface WakingEvent {
  readonly kind: string;
  readonly actor: string;
}

/**
 * Makes every lane's case due, opening one where a new body finds none open, and ties the notifications to it.
 *
 * @returns the ids of the cases, by source and order.
 */
async function wakeCases(
  client: pg.PoolClient,
  lanes: readonly Lane[],
  clock: Clock,
  event: WakingEvent,
): Promise<ReadonlyMap<string, string>> {
  const at = clock.now();
  const withNew = lanes.filter(({ hasNew }) => hasNew);
  const repeated = lanes.filter(({ hasNew }) => !hasNew);
  await insertOrders.run(client, lanes);
  // The two statements below lock cases one after the other; only locking all of them first keeps the order.
  if (withNew.length > 0 && repeated.length > 0) await lockCases.run(client, lanes);

  const woken = await wakeNewestCases.run(
    client,
    repeated.map((lane) => ({ lane, at })),
  );
  const caseIds = new Map(woken.map((row) => [`${row.source}\0${row.order_id}`, row.id]));
  const withoutCase = repeated.filter(({ source, orderId }) => !caseIds.has(`${source}\0${orderId}`));
  const toOpen = [...withNew, ...withoutCase].sort((a, b) => compareKeys(laneKeyOf(a), laneKeyOf(b)));
  const opened = await openOrWakeCases.run(
    client,
    toOpen.map((lane) => ({ lane, at, caseId: newId(clock) })),
  );
  for (const row of opened) caseIds.set(`${row.source}\0${row.order_id}`, row.id);

  const joins = lanes.flatMap((lane) => {
    const caseId = caseIds.get(`${lane.source}\0${lane.orderId}`)!;
    return lane.receipts.map((receipt) => ({ caseId, receipt, at, event }));
  });
  await joinCases.run(client, joins);
  await addEvents.run(client, joins);
  return caseIds;
}

/** What has made the case `c` due for another reason does not wait because a notification of many orders names it too. */
const nothingElseIsDue = "(c.due_at is null or c.due_at > now() or c.wake = c.yielding_wake)";

interface DigestRow {
  readonly source: string;
  readonly digest: Buffer;
  readonly notification_id: string;
  readonly received_at: Date;
  readonly receipts: number;
}

const upsertDigests: BatchStatement<SealedNotification, DigestRow> = createBatchStatement({
  name: "upsert_digests",
  types: ["text", "bytea", "uuid", "timestamptz", "bigint"],
  text: (values) => `
    insert into skedchange.notification_digests as known
      (source, digest, notification_id, received_at, receipts, last_receipt_at)
    select source, digest, id, received_at, copies, received_at
    from (values ${values}) as incoming (source, digest, id, received_at, copies)
    on conflict (source, digest) do update set
      receipts = known.receipts + excluded.receipts,
      last_receipt_at = greatest(known.last_receipt_at, excluded.last_receipt_at)
    returning source, digest, notification_id, received_at, receipts`,
  parameters: ({ notification: { source, digest, id, receivedAt, copies } }) => [
    source,
    digest,
    id,
    receivedAt,
    copies,
  ],
});

const insertNotifications: BatchStatement<SealedNotification> = createBatchStatement({
  name: "insert_notifications",
  types: [...["uuid", "text", "timestamptz", "bytea", "text", "bytea", "text", "integer", "text", "text", "jsonb"]],
  text: (values) => `
    insert into skedchange.notifications
      (id, source, received_at, digest, content_type, body, body_encoding, body_bytes, key_id, state, problem)
    values ${values}`,
  parameters: ({ notification, sealed }) => [
    notification.id,
    notification.source,
    notification.receivedAt,
    notification.digest,
    notification.contentType,
    sealed.body,
    sealed.bodyEncoding,
    sealed.bodyBytes,
    sealed.keyId,
    notification.problem === null ? "accepted" : "quarantined",
    notification.problem === null ? null : toJson(notification.problem),
  ],
});

/** A body that was quarantined and came again after the reading of bodies has learnt to use it. */
const releaseQuarantined: BatchStatement<Receipt> = createBatchStatement({
  name: "release_quarantined",
  types: ["timestamptz", "uuid"],
  text: (values) => `
    update skedchange.notifications n set state = 'released'
    from (values ${values}) as usable (received_at, id)
    where n.received_at = usable.received_at and n.id = usable.id and n.state = 'quarantined'`,
  parameters: ({ receivedAt, notificationId }) => [receivedAt, notificationId],
});

const insertOrders: BatchStatement<Lane> = createBatchStatement({
  name: "insert_orders",
  types: ["text", "text"],
  text: (values) => `
    insert into skedchange.orders (source, order_id) values ${values} on conflict (source, order_id) do nothing`,
  parameters: ({ source, orderId }) => [source, orderId],
});

const lockCases: BatchStatement<Lane> = createBatchStatement({
  name: "lock_cases",
  types: ["text", "text"],
  text: (values) => `
    select 1 from skedchange.cases c
    join (values ${values}) as lane (source, order_id) using (source, order_id)
    order by c.source collate "C", c.order_id collate "C", c.id
    for update of c`,
  parameters: ({ source, orderId }) => [source, orderId],
});

interface CaseRow {
  readonly id: string;
  readonly source: string;
  readonly order_id: string;
}

/**
 * A known body came again: the open case of its order is looked at again, or the newest finished one. That one stays
 * finished; being due means that the status is read, because an airline may go from A to B and back to A.
 */
const wakeNewestCases: BatchStatement<{ readonly lane: Lane; readonly at: Date }, CaseRow> = createBatchStatement({
  name: "wake_newest_cases",
  types: ["text", "text", "boolean", "timestamptz"],
  text: (values) => `
    with newest as (
      select lane.at, lane.is_among_many, (
        select c.id from skedchange.cases c
        where c.source = lane.source and c.order_id = lane.order_id
        order by c.state in ${finishedList}, c.opened_at desc, c.id desc
        limit 1
      ) as id
      from (values ${values}) as lane (source, order_id, is_among_many, at)
    ), locked as (
      select c.id, newest.at, newest.is_among_many from skedchange.cases c join newest using (id)
      order by c.source collate "C", c.order_id collate "C"
      for update of c
    )
    update skedchange.cases c set
      due_at = least(c.due_at, now() + ${repeatedDueAfter}),
      wake = c.wake + 1,
      yielding_wake = case when locked.is_among_many and ${nothingElseIsDue} then c.wake + 1 end,
      updated_at = locked.at
    from locked where c.id = locked.id
    returning c.id, c.source, c.order_id`,
  parameters: ({ lane, at }) => [lane.source, lane.orderId, lane.isAmongMany, at],
});

/**
 * A new body: the order's open case becomes due at once, or one is opened. Due times are the database's own, because
 * whoever looks for what is due compares them with the database's clock.
 */
const openOrWakeCases: BatchStatement<{ readonly lane: Lane; readonly at: Date; readonly caseId: string }, CaseRow> =
  createBatchStatement({
    name: "open_or_wake_cases",
    types: ["uuid", "text", "text", "text[]", "boolean", "timestamptz"],
    text: (values) => `
    insert into skedchange.cases as c
      (id, source, order_id, gds_booking_references, state, due_at, yielding_wake, opened_at, updated_at)
    select id, source, order_id, gds_booking_references, 'received', now(), case when is_among_many then 0 end, at, at
    from (values ${values}) as lane (id, source, order_id, gds_booking_references, is_among_many, at)
    on conflict (source, order_id) where state not in ${finishedList} do update set
      due_at = least(c.due_at, now()),
      wake = c.wake + 1,
      yielding_wake = case when excluded.yielding_wake is not null and ${nothingElseIsDue} then c.wake + 1 end,
      gds_booking_references = c.gds_booking_references || array(
        select reference from unnest(excluded.gds_booking_references) with ordinality as added (reference, place)
        where reference <> all (c.gds_booking_references)
        order by place
      ),
      updated_at = excluded.updated_at
    returning id, source, order_id`,
    parameters: ({ lane, at, caseId }) => [
      caseId,
      lane.source,
      lane.orderId,
      [...lane.references],
      lane.isAmongMany,
      at,
    ],
  });

interface Join {
  readonly caseId: string;
  readonly receipt: Receipt;
  readonly at: Date;
  readonly event: WakingEvent;
}

const joinCases: BatchStatement<Join> = createBatchStatement({
  name: "join_cases",
  types: ["uuid", "uuid", "timestamptz", "timestamptz"],
  text: (values) => `
    insert into skedchange.case_notifications (case_id, notification_id, notification_received_at, joined_at)
    values ${values} on conflict (case_id, notification_id) do nothing`,
  parameters: ({ caseId, receipt, at }) => [caseId, receipt.notificationId, receipt.receivedAt, at],
});

/** Tells whoever watches cases as well: in one message, because there are as many as rows, and all at the same commit. */
const addEvents: BatchStatement<Join> = createBatchStatement({
  name: "add_case_events",
  types: ["uuid", "timestamptz", "text", "text", "jsonb"],
  text: (values) => `
    with added as (
      insert into skedchange.case_events (case_id, at, kind, actor, detail)
      select case_id, at, kind, actor, detail
      from (values ${values}) as event (case_id, at, kind, actor, detail)
      returning case_id
    )
    select pg_notify('${caseChannel}', string_agg(distinct case_id::text, ',')) from added`,
  parameters: ({ caseId, receipt: { notificationId, receipts }, at, event }) => [
    caseId,
    at,
    event.kind,
    event.actor,
    toJson({ notificationId, receipts }),
  ],
});

export async function inWakingTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  // The pool listens to idle connections only. One that breaks now fails its statement, which is how we learn of it;
  // the event that comes with it would end the process if nobody took it.
  const ignore = (): void => {};
  client.on("error", ignore);
  let isUsable = true;
  try {
    await runSimple(client, "begin");
    const result = await work(client);
    await runSimple(client, `select pg_notify('${dueChannel}', ''); commit`);
    return result;
  } catch (error) {
    // Without an answer of the server nobody knows what state the connection is in.
    isUsable = isSqlState(codeOf(error)) && (await rollBack(client));
    throw error;
  } finally {
    client.off("error", ignore);
    client.release(!isUsable);
  }
}

async function rollBack(client: pg.PoolClient): Promise<boolean> {
  try {
    await runSimple(client, "rollback");
    return true;
  } catch {
    return false;
  }
}

async function runSimple(client: pg.PoolClient, text: string): Promise<void> {
  const query = { text, query_timeout: statementTimeoutMs };
  await client.query(query);
}

/** Locks are taken in order, so conflicts are rare; what remains comes from transactions of other parts. */
export async function withConflictRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const code = codeOf(error);
      const isConflict = code === "40001" || code === "40P01";
      if (!isConflict || tries === conflictTriesMax) throw error;
      await sleep(backOffMs(conflictBackOff, tries, Math.random()));
    }
  }
}

/**
 * Whether the database said that it will never hold these values (data exception, integrity violation, limit exceeded).
 * Everything else, such as a full disk or a connection that broke, may pass and says nothing about the row.
 */
export function isRefusal(error: unknown): boolean {
  const code = codeOf(error);
  return isSqlState(code) && /^(?:22|23|54)/.test(code);
}

function isSqlState(code: string): boolean {
  return /^[0-9A-Z]{5}$/.test(code);
}

function digestKeyOf({ source, digest }: { readonly source: string; readonly digest: Buffer }): Buffer {
  return Buffer.concat([Buffer.from(`${source}\0`), digest]);
}

function laneKeyOf({ source, orderId }: Lane): Buffer {
  return Buffer.from(`${source}\0${orderId}`);
}

/** By bytes in UTF-8, as the collation "C" of the database compares texts. */
function compareKeys(a: Buffer, b: Buffer): number {
  return Buffer.compare(a, b);
}

/** jsonb cannot hold U+0000, which a JSON pointer into a hostile body may contain. */
function toJson(value: object): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === "string" ? member.replaceAll("\0", "\uFFFD") : member,
  );
}
