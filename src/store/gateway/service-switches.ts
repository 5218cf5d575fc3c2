import type { OperationName } from "../../contract/operations/operation.ts";
import type { ServiceSwitches } from "../../gateway/ports.ts";
import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { inTransaction } from "../database/transaction.ts";

/** Only this store writes the table, so its values are names of operations. */
export function createServiceSwitches(database: Database): ServiceSwitches {
  return {
    async readSwitchedOff() {
      const { rows } = await sql<{ operation: OperationName }>`
        select operation from gateway.switched_off_services order by operation
      `.execute(database.connection);
      return rows.map(({ operation }) => operation);
    },

    switchOff: (names) =>
      inTransaction(database, async (transaction) => {
        await Promise.all([
          // Concurrent requests run one after the other; neither would delete what the other one inserts.
          sql`select pg_advisory_xact_lock(hashtext('gateway.switched_off_services'))`.execute(transaction),
          sql`delete from gateway.switched_off_services`.execute(transaction),
          sql`
            insert into gateway.switched_off_services (operation)
            select operation from unnest(${[...names]}::text[]) as operation
            on conflict do nothing
          `.execute(transaction),
        ]);
      }),
  };
}
