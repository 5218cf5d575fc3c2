import { type OrderDetail, type OrderImportResult, orderDetail } from "../../dashboard/order-ports.ts";
import type { Itinerary } from "../../itinerary/itinerary.ts";
import type { Actor } from "../../kernel/actor.ts";
import type { Clock } from "../../kernel/clock.ts";
import { digestOfValue } from "../../kernel/digest.ts";
import { nameToken } from "../audit/audit-actor.ts";
import { addCaseEvent, announceDue, json } from "../cases/case-rows.ts";
import { shownState } from "../cases/states.ts";
import { columnsOf } from "../database/columns-of.ts";
import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { withConflictRetries } from "../database/sql-states.ts";
import { type Connection, inSnapshot, inTransaction } from "../database/transaction.ts";
import { isUnfinished } from "../notifications/unattended.ts";
import { takeFromWorker } from "./leases.ts";

export interface ImportedOrder {
  readonly orderId: string;
  readonly gdsBookingReferences: readonly string[];
  readonly itinerary: Itinerary;
}

export interface StoredImport extends Actor {
  readonly source: string;
  /** Each order once. */
  readonly orders: readonly ImportedOrder[];
  readonly replace: boolean;
  readonly dryRun: boolean;
}

export interface OrderImportStore {
  /** One transaction. */
  importOrders(request: StoredImport): Promise<readonly OrderImportResult[]>;
  readOrder(source: string, orderId: string): Promise<OrderDetail | null>;
}

/** Imports orders that the agency states. Never changes accepted flights. */
export function createOrderImportStore(database: Database, clock: Clock): OrderImportStore {
  return {
    importOrders: (request) =>
      withConflictRetries(() =>
        inTransaction(database, (transaction) => importOrders(transaction, request, clock.now())),
      ),
    readOrder: (source, orderId) => inSnapshot(database, (snapshot) => readOrder(snapshot, source, orderId)),
  };
}

interface KnownOrder {
  readonly order_id: string;
  readonly booked_itinerary: Itinerary | null;
  readonly booked_from: string | null;
  readonly decided: boolean;
}

async function importOrders(
  transaction: Connection,
  { source, orders, replace, dryRun, actor, tokenId }: StoredImport,
  at: Date,
): Promise<readonly OrderImportResult[]> {
  await nameToken(transaction, tokenId);
  const ids = orders.map(({ orderId }) => orderId);
  const known = await lockOrders(transaction, source, ids, dryRun);
  const results: OrderImportResult[] = [];
  for (const order of orders) {
    const result = resultOf(order, known.get(order.orderId), replace);
    results.push(result);
    if (dryRun) continue;
    await saveReferences(transaction, source, order);
    if (result.outcome !== "added" && result.outcome !== "replaced") continue;
    await saveItinerary(transaction, source, order, known.get(order.orderId), actor, at);
  }
  return results;
}

/** Locks in the order of ids, as everywhere. A dry run creates and locks nothing. */
async function lockOrders(
  transaction: Connection,
  source: string,
  ids: readonly string[],
  dryRun: boolean,
): Promise<ReadonlyMap<string, KnownOrder>> {
  if (!dryRun) {
    await sql`
      insert into skedchange.orders (source, order_id)
      select ${source}::text, id from unnest(${[...ids]}::text[]) as id order by id collate "C"
      on conflict (source, order_id) do nothing
    `.execute(transaction);
  }
  const { rows } = await sql<KnownOrder>`
    select o.order_id, o.booked_itinerary, o.booked_from,
      exists (
        select from skedchange.cases c join skedchange.decisions d on d.case_id = c.id
        where c.source = o.source and c.order_id = o.order_id and d.itineraries is not null
      ) as decided
    from skedchange.orders o
    where o.source = ${source} and o.order_id = any(${[...ids]}::text[])
    order by o.order_id collate "C"
    ${dryRun ? sql`` : sql`for no key update of o`}
  `.execute(transaction);
  return new Map(rows.map((row) => [row.order_id, row]));
}

function resultOf(
  { orderId, itinerary }: ImportedOrder,
  known: KnownOrder | undefined,
  replace: boolean,
): OrderImportResult {
  const booked = known?.booked_itinerary ?? null;
  if (booked === null) return { orderId, outcome: "added", message: null };
  if (known?.booked_from === "import" && digestOfValue(booked) === digestOfValue(itinerary)) {
    return { orderId, outcome: "unchanged", message: null };
  }
  if (known?.decided === true && !replace) {
    const message = `Decisions rest on the booked flights of the ${known.booked_from ?? "status"}; they stay unless they are to be replaced.`;
    return { orderId, outcome: "kept", message };
  }
  return { orderId, outcome: "replaced", message: null };
}

async function saveReferences(
  transaction: Connection,
  source: string,
  { orderId, gdsBookingReferences }: ImportedOrder,
): Promise<void> {
  await sql`
    update skedchange.orders set
      gds_booking_references = gds_booking_references || array(
        select reference from unnest(${[...gdsBookingReferences]}::text[]) with ordinality as stated (reference, place)
        where reference <> all (gds_booking_references)
        order by place
      ),
      poll_ended = null, poll_failures = 0
    where source = ${source} and order_id = ${orderId}
      and (poll_ended is not null or not gds_booking_references @> ${[...gdsBookingReferences]}::text[])
  `.execute(transaction);
}

async function saveItinerary(
  transaction: Connection,
  source: string,
  { orderId, itinerary }: ImportedOrder,
  known: KnownOrder | undefined,
  actor: string,
  at: Date,
): Promise<void> {
  await sql`
    insert into skedchange.order_imports
      (source, order_id, imported_at, imported_by, booked, replaced, replaced_from, was_decided_on)
    values (${source}, ${orderId}, ${at}, ${actor}, ${json(itinerary)}, ${json(known?.booked_itinerary)},
      ${known?.booked_from ?? null}, ${known?.decided === true})
  `.execute(transaction);
  await sql`
    update skedchange.orders set booked_itinerary = ${json(itinerary)}, booked_from = 'import',
      imported_at = ${at}, imported_by = ${actor}
    where source = ${source} and order_id = ${orderId}
  `.execute(transaction);
  await decideAnew(transaction, source, orderId, { replacedFrom: known?.booked_from ?? null }, actor, at);
}

/** Makes open cases due, whose decisions depend on the booked flights, except during an effect. */
async function decideAnew(
  transaction: Connection,
  source: string,
  orderId: string,
  detail: object,
  actor: string,
  at: Date,
): Promise<void> {
  const { rows } = await sql<{ id: string; state: string }>`
    update skedchange.cases c
    set due_at = least(due_at, now()), wake = wake + 1, version = version + 1, updated_at = ${at}
    where source = ${source} and order_id = ${orderId} and ${isUnfinished} and state not in ('accepting', 'cancelling')
    returning id, state
  `.execute(transaction);
  for (const { id, state } of rows) {
    if (state === "checking") await takeFromWorker(transaction, source, orderId);
    await addCaseEvent(transaction, { caseId: id, at, kind: "order.imported", actor, detail });
    await announceDue(transaction);
  }
}

async function readOrder(reading: Connection, source: string, orderId: string): Promise<OrderDetail | null> {
  const { rows } = await sql<Omit<OrderDetail, "cases">>`
    select ${columnsOf(orderDetail.omit({ cases: true }), "o", {
      booked: sql`o.booked_itinerary`,
      accepted: sql`o.accepted_itinerary`,
    })}
    from skedchange.orders o where o.source = ${source} and o.order_id = ${orderId}
  `.execute(reading);
  const [order] = rows;
  if (order === undefined) return null;
  const cases = await sql<OrderDetail["cases"][number]>`
    select c.id, ${shownState} as state, c.opened_at as "openedAt" from skedchange.cases c
    where source = ${source} and order_id = ${orderId}
    order by opened_at desc, id desc limit 50
  `.execute(reading);
  return { ...order, cases: cases.rows };
}
