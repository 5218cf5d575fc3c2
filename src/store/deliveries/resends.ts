import type { Clock } from "../../kernel/clock.ts";
import { newId } from "../../kernel/ids.ts";
import type { EventKind } from "../../sender/events/ports.ts";
import type {
  AnyDeliveryFilter,
  DeliveryKind,
  Lane,
  NotificationKind,
  ResendPreview,
  ResendStore,
  ResendView,
} from "../../sender/ports.ts";
import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { type Connection, inTransaction } from "../database/transaction.ts";
import { lockForAdding, notifyDue } from "./deliveries.ts";
import { type DeliveryTables, eventTables, notificationTables } from "./delivery-tables.ts";
import { addResend, deliveriesThatFit } from "./recipients.ts";

interface ResendStoreOptions {
  readonly database: Database;
  readonly clock: Clock;
}

export function createResendStore(options: ResendStoreOptions): ResendStore {
  return createStore<NotificationKind>(options, notificationTables);
}

export function createEventResendStore(options: ResendStoreOptions): ResendStore<EventKind> {
  return createStore<EventKind>(options, eventTables);
}

/** Each batch commits with its progress, so a process that stops skips nothing and sends nothing twice. */
function createStore<T extends DeliveryKind>(options: ResendStoreOptions, tables: DeliveryTables): ResendStore<T> {
  const { clock } = options;
  const { database } = options;
  const { connection } = database;

  return {
    previewResend: (filter) => previewResend(connection, tables, filter),

    createResend: (filter, force) =>
      inTransaction(database, async (trx) => {
        const id = newId(clock);
        const { total } = await previewResend(trx, tables, filter);
        await sql`
          insert into ${tables.resends} (id, filter, force, up_to_position, total, created_at)
          select ${id}, ${JSON.stringify(filter)}, ${force}, coalesce(max(position), 0), ${total}, ${clock.now()}
          from ${tables.deliveries}`.execute(trx);
        return (await readResend(trx, tables, id))!;
      }),

    async listResends(limit) {
      const { rows } = await sql<ResendView>`${selectResends(tables)} order by id desc limit ${limit}`.execute(
        connection,
      );
      return rows;
    },

    readResend: (replayId) => readResend(connection, tables, replayId),

    cancelResend: (replayId) =>
      inTransaction(database, async (trx) => {
        await sql`
          update ${tables.resends} set state = 'cancelled', finished_at = ${clock.now()}
          where id = ${replayId} and state = 'running'`.execute(trx);
        return readResend(trx, tables, replayId);
      }),

    advanceResend: (batch) => inTransaction(database, (trx) => advanceResend(trx, tables, clock, batch)),
  };
}

const selectResends = (tables: DeliveryTables) => sql`
  select id, filter, force, state, total, replayed + skipped as done, skipped, created_at as "createdAt",
    finished_at as "finishedAt"
  from ${tables.resends}`;

async function readResend(executor: Connection, tables: DeliveryTables, replayId: string): Promise<ResendView | null> {
  const { rows } = await sql<ResendView>`${selectResends(tables)} where id = ${replayId}`.execute(executor);
  return rows[0] ?? null;
}

/** Whether the recipient of delivery `d` with body `b` has a newer notification of the order. */
const hasNewer = (tables: DeliveryTables) => sql`exists (
  select from ${tables.deliveries} later join ${tables.bodies} lb on lb.id = later.${tables.bodyId}
  where later.recipient_id = d.recipient_id and later.order_id = d.order_id
    and (lb.created_at, lb.id) > (b.created_at, b.id))`;

/** Whether delivery `d` is skipped in any case. Its replay stands for it, and a removed recipient has no credentials. */
const isLeftOut = (tables: DeliveryTables) => sql`(
  exists (select from ${tables.deliveries} again where again.replay_of = d.id)
  or exists (select from ${tables.recipients} r where r.id = d.recipient_id and r.state = 'removed'))`;

async function previewResend(
  executor: Connection,
  tables: DeliveryTables,
  filter: AnyDeliveryFilter,
): Promise<ResendPreview> {
  const { rows } = await sql<ResendPreview>`
    select count(*) as total, count(*) filter (where ${isLeftOut(tables)}) as "leftOut",
      count(*) filter (where not ${isLeftOut(tables)} and ${hasNewer(tables)}) as "afterNewer"
    from ${tables.deliveries} d join ${tables.bodies} b on b.id = d.${tables.bodyId}
    where ${deliveriesThatFit(tables, filter)}`.execute(executor);
  return rows[0]!;
}

interface Work extends Pick<ResendView, "id" | "filter" | "force"> {
  readonly position: number;
  readonly upToPosition: number;
}

interface Candidate extends Lane {
  readonly id: string;
  readonly bodyId: string;
  readonly position: number;
  readonly isSkipped: boolean;
}

async function advanceResend(trx: Connection, tables: DeliveryTables, clock: Clock, batch: number): Promise<boolean> {
  const running = await sql<Work>`
    select id, filter, force, position, up_to_position as "upToPosition" from ${tables.resends}
    where state = 'running' order by id limit 1 for update skip locked`.execute(trx);
  const work = running.rows[0];
  if (work === undefined) return false;
  const candidates = await readCandidates(trx, tables, work, batch);

  const chosen = candidates.filter(({ isSkipped }) => !isSkipped);
  // Lanes are sorted as announcements lock them, to avoid deadlocks; the order within a lane stays.
  const inLockOrder = chosen.toSorted(
    (a, b) => compare(a.recipientId, b.recipientId) || compare(a.orderId, b.orderId) || a.position - b.position,
  );
  for (const original of inLockOrder) await addResend(trx, tables, clock, original);
  if (inLockOrder.length > 0) await notifyDue(trx, tables);

  const last = candidates.at(-1)?.position ?? work.upToPosition;
  const isDone = candidates.length < batch;
  await sql`
    update ${tables.resends}
    set position = ${last}, replayed = replayed + ${chosen.length},
      skipped = skipped + ${candidates.length - chosen.length},
      state = ${isDone ? "finished" : "running"}, finished_at = ${isDone ? clock.now() : null}
    where id = ${work.id}`.execute(trx);
  return true;
}

/** Reads the next matching deliveries, and prevents removal of their recipients meanwhile. */
async function readCandidates(
  trx: Connection,
  tables: DeliveryTables,
  work: Work,
  batch: number,
): Promise<readonly Candidate[]> {
  const found = sql`
    ${tables.deliveries} d join ${tables.bodies} b on b.id = d.${tables.bodyId}
    where d.position > ${work.position} and d.position <= ${work.upToPosition} and ${deliveriesThatFit(tables, readFilter(work))}
    order by d.position limit ${batch}`;
  await sql`
    select from ${tables.recipients} where id in (select recipient_id from (select d.recipient_id from ${found}) as these)
    order by id ${lockForAdding}`.execute(trx);
  const { rows } = await sql<Candidate>`
    select d.id, d.${tables.bodyId} as "bodyId", d.recipient_id as "recipientId", d.order_id as "orderId", d.position,
      ${isLeftOut(tables)} or (not ${work.force} and ${hasNewer(tables)} and exists (
        select from ${tables.recipients} r where r.id = d.recipient_id and r.ordering = 'latest')) as "isSkipped"
    from ${found}`.execute(trx);
  return rows;
}

function readFilter({ filter }: Work): AnyDeliveryFilter {
  const { since, until, ...others } = filter;
  return {
    ...(others as unknown as AnyDeliveryFilter),
    ...(since === undefined ? {} : { since: new Date(since) }),
    ...(until === undefined ? {} : { until: new Date(until) }),
  };
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
