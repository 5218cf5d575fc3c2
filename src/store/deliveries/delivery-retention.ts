import type { DeliveryRetention } from "../../sender/ports.ts";
import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { DeliveryTables } from "./delivery-tables.ts";

/** A database function deletes, because the service role may not. */
export function createDeliveryRetention(
  { connection }: Pick<Database, "connection">,
  tables: DeliveryTables,
): DeliveryRetention {
  return {
    async deleteEnded(before, batch) {
      const { rows } = await sql<{ deleted: number }>`
        select ${tables.deleteEnded}(${before}, ${batch}) as deleted`.execute(connection);
      return rows[0]?.deleted ?? 0;
    },
  };
}
