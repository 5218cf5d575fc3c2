import { sql } from "kysely";
import type { DeliveryRetention } from "../../sender/ports.ts";
import type { Database } from "../database/database.ts";
import type { DeliveryTables } from "./delivery-tables.ts";

/** The service role cannot delete deliveries by itself: a function of the database does, and only what has ended. */
export function createDeliveryRetention(
  { kysely }: Pick<Database, "kysely">,
  tables: DeliveryTables,
): DeliveryRetention {
  return {
    async deleteEnded(before, batch) {
      const { rows } = await sql<{ deleted: number }>`
        select ${tables.deleteEnded}(${before}, ${batch}) as deleted`.execute(kysely);
      return rows[0]?.deleted ?? 0;
    },
  };
}
