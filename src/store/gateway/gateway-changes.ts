import type { BookedSegment, ChangedSegment, ChangeHistory, OrderOnFlight } from "../../gateway/ports.ts";
import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { fromTx } from "../database/transaction.ts";

export function createChangeHistory({ connection }: Database): ChangeHistory {
  return {
    async readFirstBooked(tx, orderId) {
      const { rows } = await sql<{ segments: readonly ChangedSegment[] }>`
        select segments from gateway.changes where order_id = ${orderId} order by caused_at, id
      `.execute(fromTx(tx));
      const first = new Map<string, BookedSegment>();
      for (const { segmentKey, booked } of rows.flatMap(({ segments }) => segments)) {
        if (booked !== undefined && !first.has(segmentKey)) first.set(segmentKey, booked);
      }
      return first;
    },

    async findOrdersOnFlight({ carrier, flightNumber, date }, { after, limit }) {
      const { rows } = await sql<OrderOnFlight>`
        select order_id as "orderId", array_agg(segment_key order by segment_key) as "segmentKeys"
        from gateway.order_flights
        where carrier = ${carrier} and flight_number = ${flightNumber} and departure_date = ${date}
          and order_id > ${after ?? ""}
        group by order_id
        order by order_id
        limit ${limit}
      `.execute(connection);
      return rows;
    },
  };
}
