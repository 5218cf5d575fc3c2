import { isDeepStrictEqual } from "node:util";
import type {
  Amendment,
  BookingReference,
  GatewayOrder,
  GatewayStore,
  GivenView,
  JournalEntry,
  NewChange,
  OpenChange,
  OrderSummary,
  RecordedJournalEntry,
  Settlement,
  Ticket,
  TicketRefund,
} from "../../gateway/ports.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Database } from "../database/database.ts";
import { type Sql, sql } from "../database/sql.ts";
import { asTx, type Connection, fromTx, inTransaction } from "../database/transaction.ts";

/** The order's row is the lock for everything about it. Only this store writes the JSON, so reads trust it. */
export function createGatewayOrderStore(options: { readonly database: Database; readonly clock: Clock }): GatewayStore {
  const { database, clock } = options;
  const { connection } = database;

  return {
    createOrder: (order, change, givenView) =>
      inTransaction(database, async (transaction) => {
        const inserted = await sql`
          insert into gateway.orders (order_id, owner, agency_id, content, given_view, version, created_at, updated_at)
          values (${order.orderId}, ${order.owner}, ${order.agencyId}, ${JSON.stringify(order.content)},
            ${givenView === undefined ? null : JSON.stringify(givenView)}, ${order.version},
            ${order.createdAt}, ${order.createdAt})
          on conflict (order_id) do nothing
        `.execute(transaction);
        if (inserted.rowCount !== 1) return false;
        await Promise.all([
          ...order.references.map((reference, at) => insertReference(transaction, order.orderId, reference, at)),
          ...order.tickets.map((ticket, at) => insertTicket(transaction, order.orderId, ticket, at)),
        ]);
        if (change !== null) {
          await insertChange(transaction, change);
          await sql`
            update gateway.orders
            set open_change_id = ${order.change?.id ?? null}, pending_segments = ${pendingSegments(order)}
            where order_id = ${order.orderId}
          `.execute(transaction);
        }
        return true;
      }),

    readOrder: (orderId) => readOrder(connection, orderId),

    async readGivenView(tx, orderId) {
      const { rows } = await sql<{ givenView: GivenView | null }>`
        select given_view as "givenView" from gateway.orders where order_id = ${orderId}
      `.execute(fromTx(tx));
      return rows[0]?.givenView ?? null;
    },

    async findTicketOrders(ticketNumbers) {
      const { rows } = await sql<{ ticketNumber: string; orderId: string }>`
        select ticket_number as "ticketNumber", order_id as "orderId" from gateway.tickets
        where ticket_number = any(${[...ticketNumbers]}::text[])
        order by order_id
      `.execute(connection);
      return rows;
    },

    async listOrders({ after, limit }) {
      const { rows } = await sql<OrderSummary>`
        select o.order_id as "orderId", o.owner, o.version, o.created_at as "createdAt",
          o.open_change_id as "openChangeId", ${referencesOf(sql`o.order_id`)} as "references"
        from gateway.orders o where o.order_id > ${after ?? ""}
        order by o.order_id
        limit ${limit}
      `.execute(connection);
      return rows;
    },

    amendOrder: (orderId, amend) =>
      inTransaction(database, async (transaction) => {
        await sql`select from gateway.orders where order_id = ${orderId} for update`.execute(transaction);
        const before = await readOrder(transaction, orderId);
        if (before === null) return null;
        const amendment = await amend(before, asTx(transaction));
        await write(transaction, clock, before, amendment);
        return amendment.result;
      }),

    recordCall: (entry) => insertJournalEntry(connection, entry),

    async readJournal({ orderId, limit }) {
      const { rows } = await sql<RecordedJournalEntry>`
        select id, operation, order_id as "orderId", gds_booking_references as "gdsBookingReferences", result,
          error_code as "errorCode", change_id as "changeId", order_version as "orderVersion", at
        from gateway.journal
        where ${orderId === null ? sql`true` : sql`order_id = ${orderId}`}
        order by id desc
        limit ${limit}
      `.execute(connection);
      return rows.reverse();
    },
  };
}

async function write(
  transaction: Connection,
  clock: Clock,
  before: GatewayOrder,
  amendment: Amendment<unknown>,
): Promise<void> {
  const { order, change, settlements, refunds = [], journal, isReplacement = false, givenView } = amendment;
  if (change !== null) await insertChange(transaction, change);
  await Promise.all(settlements.map((settlement) => insertSettlement(transaction, settlement)));
  if (order !== null) {
    await sql`
      update gateway.orders
      set content = ${JSON.stringify(order.content)}, agency_id = ${order.agencyId}, version = ${before.version + 1}, updated_at = ${clock.now()},
        open_change_id = ${order.change?.id ?? null}, pending_segments = ${pendingSegments(order)}
      where order_id = ${order.orderId}
    `.execute(transaction);
    if (isReplacement) await replaceReferences(transaction, order);
    else await updateReferences(transaction, before, order);
    await saveTickets(transaction, before, order);
  }
  if (givenView !== undefined) {
    await sql`
      update gateway.orders set given_view = ${JSON.stringify(givenView)} where order_id = ${before.orderId}
    `.execute(transaction);
  }
  await Promise.all(refunds.map((refund) => insertRefund(transaction, refund)));
  if (journal !== null) await insertJournalEntry(transaction, journal);
}

function pendingSegments({ change }: GatewayOrder): string | null {
  return change === null ? null : JSON.stringify(change.segments);
}

function flagsOf({ flags }: BookingReference): string | null {
  return flags === null ? null : JSON.stringify(flags);
}

async function insertReference(
  transaction: Connection,
  orderId: string,
  reference: BookingReference,
  position: number,
): Promise<void> {
  await sql`
    insert into gateway.order_references
      (order_id, gds_booking_reference, position, pnr_status, schedule_change_indicator, schedule_change_status, flags)
    values (${orderId}, ${reference.gdsBookingReference}, ${position}, ${reference.pnrStatus},
      ${reference.scheduleChangeIndicator}, ${reference.scheduleChangeStatus}, ${flagsOf(reference)})
  `.execute(transaction);
}

async function insertTicket(transaction: Connection, orderId: string, ticket: Ticket, position: number): Promise<void> {
  await sql`
    insert into gateway.tickets
      (order_id, ticket_number, position, document_type, passenger_id, gds_booking_reference, state, flown_segment_keys)
    values (${orderId}, ${ticket.ticketNumber}, ${position}, ${ticket.documentType}, ${ticket.passengerId},
      ${ticket.gdsBookingReference}, ${ticket.state}, ${[...ticket.flownSegmentKeys]})
  `.execute(transaction);
}

async function insertChange(transaction: Connection, change: NewChange): Promise<void> {
  await sql`
    insert into gateway.changes
      (id, order_id, kind, segments, gds_booking_references, announcement, deliveries, caused_at)
    values (${change.id}, ${change.orderId}, ${change.kind}, ${JSON.stringify(change.segments)},
      ${[...change.references]}, ${change.announcement}, ${change.deliveries}, ${change.causedAt})
  `.execute(transaction);
}

async function insertSettlement(transaction: Connection, settlement: Settlement): Promise<void> {
  await sql`
    insert into gateway.settlements (change_id, gds_booking_reference, outcome, settled_at)
    values (${settlement.changeId}, ${settlement.gdsBookingReference}, ${settlement.outcome}, ${settlement.settledAt})
  `.execute(transaction);
}

async function insertRefund(transaction: Connection, refund: TicketRefund): Promise<void> {
  await sql`
    insert into gateway.refunds
      (order_id, ticket_number, gds_booking_reference, change_id, amount, currency, refunded_at)
    values (${refund.orderId}, ${refund.ticketNumber}, ${refund.gdsBookingReference}, ${refund.changeId},
      ${refund.amount}, ${refund.currency}, ${refund.refundedAt})
  `.execute(transaction);
}

/** Writes only references that changed: an order has several, and most changes concern one. */
async function updateReferences(transaction: Connection, before: GatewayOrder, after: GatewayOrder): Promise<void> {
  for (const [position, reference] of after.references.entries()) {
    if (isDeepStrictEqual(before.references[position], reference)) continue;
    await sql`
      update gateway.order_references
      set pnr_status = ${reference.pnrStatus}, schedule_change_indicator = ${reference.scheduleChangeIndicator},
        schedule_change_status = ${reference.scheduleChangeStatus}, flags = ${flagsOf(reference)}
      where order_id = ${after.orderId} and gds_booking_reference = ${reference.gdsBookingReference}
    `.execute(transaction);
  }
}

/** Written anew, because the moves of an order that is kept elsewhere are not those of the simulation. */
async function replaceReferences(transaction: Connection, { orderId, references }: GatewayOrder): Promise<void> {
  await sql`delete from gateway.order_references where order_id = ${orderId}`.execute(transaction);
  for (const [position, reference] of references.entries()) {
    await insertReference(transaction, orderId, reference, position);
  }
}

async function saveTickets(transaction: Connection, before: GatewayOrder, after: GatewayOrder): Promise<void> {
  const known = new Map(before.tickets.map((ticket) => [ticket.ticketNumber, ticket]));
  for (const [position, ticket] of after.tickets.entries()) {
    const { ticketNumber, state, flownSegmentKeys } = ticket;
    const earlier = known.get(ticketNumber);
    if (earlier === undefined) {
      await insertTicket(transaction, after.orderId, ticket, position);
      continue;
    }
    const isSame = earlier.state === state && earlier.flownSegmentKeys.length === flownSegmentKeys.length;
    if (isSame) continue;
    await sql`
      update gateway.tickets set state = ${state}, flown_segment_keys = ${[...flownSegmentKeys]}
      where order_id = ${after.orderId} and ticket_number = ${ticketNumber}
    `.execute(transaction);
  }
}

async function insertJournalEntry(connection: Connection, entry: JournalEntry): Promise<void> {
  await sql`
    insert into gateway.journal
      (operation, order_id, gds_booking_references, result, error_code, change_id, order_version, at)
    values (${entry.operation}, ${entry.orderId}, ${[...entry.gdsBookingReferences]}, ${entry.result},
      ${entry.errorCode}, ${entry.changeId}, ${entry.orderVersion}, ${entry.at})
  `.execute(connection);
}

interface OrderRow extends Omit<GatewayOrder, "change"> {
  readonly openChangeId: string | null;
  readonly pendingSegments: OpenChange["segments"];
  readonly changedReferences: OpenChange["references"];
  readonly settled: OpenChange["settled"];
}

/**
 * One statement, so that an order that changes meanwhile is read as it was before or as it is after. Who locks it does
 * that in an earlier statement, to see what the lock's previous holder committed.
 */
async function readOrder(connection: Connection, orderId: string): Promise<GatewayOrder | null> {
  const { rows } = await sql<OrderRow>`
    select o.order_id as "orderId", o.owner, o.agency_id as "agencyId", o.content, o.version, o.created_at as "createdAt",
      ${referencesOf(sql`o.order_id`)} as "references",
      (select coalesce(json_agg(json_build_object('ticketNumber', ticket_number, 'documentType', document_type,
          'passengerId', passenger_id, 'gdsBookingReference', gds_booking_reference, 'state', state,
          'flownSegmentKeys', flown_segment_keys) order by position), '[]')
        from gateway.tickets where order_id = o.order_id) as tickets,
      o.open_change_id as "openChangeId", o.pending_segments as "pendingSegments",
      c.gds_booking_references as "changedReferences",
      (select coalesce(json_agg(gds_booking_reference), '[]')
        from gateway.settlements where change_id = o.open_change_id) as settled
    from gateway.orders o left join gateway.changes c on c.id = o.open_change_id
    where o.order_id = ${orderId}
  `.execute(connection);
  const row = rows[0];
  if (row === undefined) return null;
  const { openChangeId, pendingSegments: segments, changedReferences: references, settled, ...order } = row;
  return { ...order, change: openChangeId === null ? null : { id: openChangeId, segments, references, settled } };
}

const referencesOf = (orderId: Sql) => sql`
  (select coalesce(json_agg(json_build_object('gdsBookingReference', gds_booking_reference, 'pnrStatus', pnr_status,
      'scheduleChangeIndicator', schedule_change_indicator, 'scheduleChangeStatus', schedule_change_status,
      'flags', flags) order by position), '[]')
    from gateway.order_references where order_id = ${orderId})`;
