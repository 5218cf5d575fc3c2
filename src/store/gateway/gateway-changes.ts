import { sql } from "kysely";
import type { BookedSegment, ChangedSegment, ChangeHistory } from "../../gateway/ports.ts";
import { type Database, fromTx } from "../database/database.ts";

/** Reads what airlines changed before, and which orders are on a flight, from the schema `gateway`. */
export function createChangeHistory({ kysely }: Database): ChangeHistory {
  return {
    async readFirstBooked(tx, orderId) {
      const changes = await fromTx(tx)
        .selectFrom("gateway.changes")
        .select("segments")
        .where("order_id", "=", orderId)
        .orderBy("caused_at")
        .orderBy("id")
        .execute();
      const first = new Map<string, BookedSegment>();
      for (const { segmentKey, booked } of changes.flatMap(({ segments }) => segments as readonly ChangedSegment[])) {
        if (booked !== undefined && !first.has(segmentKey)) first.set(segmentKey, booked);
      }
      return first;
    },

    async findOrdersOnFlight({ carrier, flightNumber, date }, { after, limit }) {
      const orders = await kysely
        .selectFrom("gateway.order_flights")
        .select(["order_id", sql<string[]>`array_agg(segment_key order by segment_key)`.as("segment_keys")])
        .where("carrier", "=", carrier)
        .where("flight_number", "=", flightNumber)
        .where("departure_date", "=", date)
        .where("order_id", ">", after ?? "")
        .groupBy("order_id")
        .orderBy("order_id")
        .limit(limit)
        .execute();
      return orders.map((order) => ({ orderId: order.order_id, segmentKeys: order.segment_keys }));
    },
  };
}
