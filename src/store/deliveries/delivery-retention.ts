import { sql } from "kysely";
import type { DeliveryRetention } from "../../sender/ports.ts";
import type { Database } from "../database/database.ts";
import type { DeliveryTables } from "./delivery-tables.ts";

/** A database function deletes, because the service role may not. */
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
