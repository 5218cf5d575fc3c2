import { isDeepStrictEqual } from "node:util";
import type { Kysely, Transaction } from "kysely";
import type {
  Amendment,
  AmendmentFlags,
  BookingReference,
  ChangedSegment,
  GatewayOrder,
  GatewayStore,
  JournalEntry,
  NewChange,
  OpenChange,
  Ticket,
} from "../../gateway/ports.ts";
import type { Clock } from "../../kernel/clock.ts";
import { asTx, type Database } from "../database/database.ts";
import type { Tables } from "../database/tables.ts";

export interface GatewayOrderStoreOptions {
  readonly database: Database;
  readonly clock: Clock;
}

/**
 * Keeps the gateway's orders in the schema `gateway`. The row of the order is the lock for everything about it. JSON
 * columns are written by nobody else, so what is read from them has the type that was written.
 */
export function createGatewayOrderStore(options: GatewayOrderStoreOptions): GatewayStore {
  const { clock } = options;
  const { kysely } = options.database;

  return {
    createOrder: (order, change) =>
      kysely.transaction().execute(async (trx) => {
        const inserted = await trx
          .insertInto("gateway.orders")
          .values({
            order_id: order.orderId,
            owner: order.owner,
            content: JSON.stringify(order.content),
            version: order.version,
            created_at: order.createdAt,
            updated_at: order.createdAt,
          })
          .onConflict((conflict) => conflict.column("order_id").doNothing())
          .executeTakeFirst();
        if (inserted.numInsertedOrUpdatedRows !== 1n) return false;
        await trx
          .insertInto("gateway.order_references")
          .values(order.references.map((reference, position) => toReferenceRow(order.orderId, reference, position)))
          .execute();
        if (order.tickets.length > 0) {
          await trx
            .insertInto("gateway.tickets")
            .values(order.tickets.map(toTicketRow(order.orderId)))
            .execute();
        }
        if (change !== null) {
          await insertChange(trx, change);
          await trx
            .updateTable("gateway.orders")
            .set(pendingColumns(order))
            .where("order_id", "=", order.orderId)
            .execute();
        }
        return true;
      }),

    readOrder: (orderId) => readOrder(kysely, orderId),

    findTicketOrders: (ticketNumbers) =>
      kysely
        .selectFrom("gateway.tickets")
        .select(["ticket_number as ticketNumber", "order_id as orderId"])
        .where("ticket_number", "in", [...ticketNumbers])
        .orderBy("order_id")
        .execute(),

    async listOrders({ after, limit }) {
      const orders = await kysely
        .selectFrom("gateway.orders")
        .select(["order_id", "owner", "version", "created_at", "open_change_id"])
        .where("order_id", ">", after ?? "")
        .orderBy("order_id")
        .limit(limit)
        .execute();
      const references = await readReferences(
        kysely,
        orders.map((order) => order.order_id),
      );
      return orders.map((order) => ({
        orderId: order.order_id,
        owner: order.owner,
        version: order.version,
        createdAt: order.created_at,
        openChangeId: order.open_change_id,
        references: references.get(order.order_id) ?? [],
      }));
    },

    amendOrder: (orderId, amend) =>
      kysely.transaction().execute(async (trx) => {
        await trx
          .selectFrom("gateway.orders")
          .select("order_id")
          .where("order_id", "=", orderId)
          .forUpdate()
          .executeTakeFirst();
        const before = await readOrder(trx, orderId);
        if (before === null) return null;
        const amendment = await amend(before, asTx(trx));
        await write(trx, clock, before, amendment);
        return amendment.answer;
      }),

    async recordCall(entry) {
      await insertJournalEntry(kysely, entry);
    },

    async readJournal({ orderId, limit }) {
      const newest = await kysely
        .selectFrom("gateway.journal")
        .selectAll()
        .$if(orderId !== null, (query) => query.where("order_id", "=", orderId))
        .orderBy("id", "desc")
        .limit(limit)
        .execute();
      return newest.reverse().map((row) => ({
        id: row.id,
        operation: row.operation,
        orderId: row.order_id,
        gdsBookingReferences: row.gds_booking_references,
        result: row.result,
        errorCode: row.error_code,
        changeId: row.change_id,
        orderVersion: row.order_version,
        at: row.at,
      }));
    },
  };
}

async function write(
  trx: Transaction<Tables>,
  clock: Clock,
  before: GatewayOrder,
  amendment: Amendment<unknown>,
): Promise<void> {
  const { order, change, settlements, refunds = [], journal } = amendment;
  if (change !== null) await insertChange(trx, change);
  if (settlements.length > 0) {
    await trx
      .insertInto("gateway.settlements")
      .values(
        settlements.map((settlement) => ({
          change_id: settlement.changeId,
          gds_booking_reference: settlement.gdsBookingReference,
          outcome: settlement.outcome,
          settled_at: settlement.settledAt,
        })),
      )
      .execute();
  }
  if (order !== null) {
    await trx
      .updateTable("gateway.orders")
      .set({
        content: JSON.stringify(order.content),
        version: before.version + 1,
        updated_at: clock.now(),
        ...pendingColumns(order),
      })
      .where("order_id", "=", order.orderId)
      .execute();
    await updateReferences(trx, before, order);
    await updateTickets(trx, before, order);
  }
  if (refunds.length > 0) {
    await trx
      .insertInto("gateway.refunds")
      .values(
        refunds.map((refund) => ({
          order_id: refund.orderId,
          ticket_number: refund.ticketNumber,
          gds_booking_reference: refund.gdsBookingReference,
          change_id: refund.changeId,
          amount: refund.amount,
          currency: refund.currency,
          refunded_at: refund.refundedAt,
        })),
      )
      .execute();
  }
  if (journal !== null) await insertJournalEntry(trx, journal);
}

async function insertChange(trx: Transaction<Tables>, change: NewChange): Promise<void> {
  await trx
    .insertInto("gateway.changes")
    .values({
      id: change.id,
      order_id: change.orderId,
      kind: change.kind,
      segments: JSON.stringify(change.segments),
      gds_booking_references: [...change.references],
      announcement: change.announcement,
      deliveries: change.deliveries,
      caused_at: change.causedAt,
    })
    .execute();
}

function pendingColumns({ change }: GatewayOrder) {
  return {
    open_change_id: change?.id ?? null,
    pending_segments: change === null ? null : JSON.stringify(change.segments),
  };
}

/** Only what differs is written: an order has several references, and most things concern one of them. */
async function updateReferences(trx: Transaction<Tables>, before: GatewayOrder, after: GatewayOrder): Promise<void> {
  for (const [position, reference] of after.references.entries()) {
    if (isDeepStrictEqual(before.references[position], reference)) continue;
    const { pnr_status, schedule_change_indicator, schedule_change_status, flags } = toReferenceRow(
      after.orderId,
      reference,
      position,
    );
    await trx
      .updateTable("gateway.order_references")
      .set({ pnr_status, schedule_change_indicator, schedule_change_status, flags })
      .where("order_id", "=", after.orderId)
      .where("gds_booking_reference", "=", reference.gdsBookingReference)
      .execute();
  }
}

async function updateTickets(trx: Transaction<Tables>, before: GatewayOrder, after: GatewayOrder): Promise<void> {
  const known = new Map(before.tickets.map((ticket) => [ticket.ticketNumber, ticket]));
  for (const { ticketNumber, state, flownSegmentKeys } of after.tickets) {
    const earlier = known.get(ticketNumber);
    const isSame = earlier?.state === state && earlier.flownSegmentKeys.length === flownSegmentKeys.length;
    if (isSame) continue;
    await trx
      .updateTable("gateway.tickets")
      .set({ state, flown_segment_keys: [...flownSegmentKeys] })
      .where("order_id", "=", after.orderId)
      .where("ticket_number", "=", ticketNumber)
      .execute();
  }
}

async function insertJournalEntry(db: Kysely<Tables>, entry: JournalEntry): Promise<void> {
  await db
    .insertInto("gateway.journal")
    .values({
      operation: entry.operation,
      order_id: entry.orderId,
      gds_booking_references: [...entry.gdsBookingReferences],
      result: entry.result,
      error_code: entry.errorCode,
      change_id: entry.changeId,
      order_version: entry.orderVersion,
      at: entry.at,
    })
    .execute();
}

/** Several statements, because all must see what the holder of the lock before committed. */
async function readOrder(db: Kysely<Tables>, orderId: string): Promise<GatewayOrder | null> {
  const row = await db
    .selectFrom("gateway.orders as o")
    .leftJoin("gateway.changes as c", "c.id", "o.open_change_id")
    .select([
      "o.order_id",
      "o.owner",
      "o.content",
      "o.open_change_id",
      "o.pending_segments",
      "o.version",
      "o.created_at",
      "c.gds_booking_references",
    ])
    .where("o.order_id", "=", orderId)
    .executeTakeFirst();
  if (row === undefined) return null;
  const references = await readReferences(db, [orderId]);
  return {
    orderId: row.order_id,
    owner: row.owner,
    content: row.content as GatewayOrder["content"],
    references: references.get(orderId) ?? [],
    tickets: await readTickets(db, orderId),
    change: row.open_change_id === null ? null : await readOpenChange(db, row.open_change_id, row),
    version: row.version,
    createdAt: row.created_at,
  };
}

async function readOpenChange(
  db: Kysely<Tables>,
  changeId: string,
  row: { readonly pending_segments: unknown; readonly gds_booking_references: string[] | null },
): Promise<OpenChange> {
  const settled = await db
    .selectFrom("gateway.settlements")
    .select("gds_booking_reference")
    .where("change_id", "=", changeId)
    .execute();
  return {
    id: changeId,
    segments: row.pending_segments as readonly ChangedSegment[],
    references: row.gds_booking_references ?? [],
    settled: settled.map((settlement) => settlement.gds_booking_reference),
  };
}

async function readReferences(
  db: Kysely<Tables>,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, readonly BookingReference[]>> {
  const found = new Map<string, BookingReference[]>();
  if (orderIds.length === 0) return found;
  const rows = await db
    .selectFrom("gateway.order_references")
    .selectAll()
    .where("order_id", "in", orderIds)
    .orderBy("order_id")
    .orderBy("position")
    .execute();
  for (const row of rows) {
    const reference: BookingReference = {
      gdsBookingReference: row.gds_booking_reference,
      pnrStatus: row.pnr_status,
      scheduleChangeIndicator: row.schedule_change_indicator,
      scheduleChangeStatus: row.schedule_change_status,
      flags: row.flags as AmendmentFlags | null,
    };
    const references = found.get(row.order_id);
    if (references === undefined) found.set(row.order_id, [reference]);
    else references.push(reference);
  }
  return found;
}

async function readTickets(db: Kysely<Tables>, orderId: string): Promise<readonly Ticket[]> {
  const rows = await db
    .selectFrom("gateway.tickets")
    .selectAll()
    .where("order_id", "=", orderId)
    .orderBy("position")
    .execute();
  return rows.map((row) => ({
    ticketNumber: row.ticket_number,
    documentType: row.document_type,
    passengerId: row.passenger_id,
    gdsBookingReference: row.gds_booking_reference,
    state: row.state,
    flownSegmentKeys: row.flown_segment_keys,
  }));
}

function toTicketRow(orderId: string) {
  return (ticket: Ticket, position: number) => ({
    order_id: orderId,
    ticket_number: ticket.ticketNumber,
    position,
    document_type: ticket.documentType,
    passenger_id: ticket.passengerId,
    gds_booking_reference: ticket.gdsBookingReference,
    state: ticket.state,
    flown_segment_keys: [...ticket.flownSegmentKeys],
  });
}

function toReferenceRow(orderId: string, reference: BookingReference, position: number) {
  return {
    order_id: orderId,
    gds_booking_reference: reference.gdsBookingReference,
    position,
    pnr_status: reference.pnrStatus,
    schedule_change_indicator: reference.scheduleChangeIndicator,
    schedule_change_status: reference.scheduleChangeStatus,
    flags: reference.flags === null ? null : JSON.stringify(reference.flags),
  };
}
