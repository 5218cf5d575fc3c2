import type { OperationName } from "../../contract/operations/operation.ts";
import type { ServiceSwitches } from "../../gateway/ports.ts";
import type { Database } from "../database/database.ts";

/** Keeps which optional services are switched off. The table is written by nobody else, so it holds names of operations. */
export function createServiceSwitches({ kysely }: Database): ServiceSwitches {
  return {
    async readSwitchedOff() {
      const rows = await kysely
        .selectFrom("gateway.switched_off_services")
        .select("operation")
        .orderBy("operation")
        .execute();
      return rows.map(({ operation }) => operation as OperationName);
    },

    switchOff: (names) =>
      kysely.transaction().execute(async (trx) => {
        await trx.deleteFrom("gateway.switched_off_services").execute();
        if (names.length === 0) return;
        await trx
          .insertInto("gateway.switched_off_services")
          .values(names.map((operation) => ({ operation })))
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      }),
  };
}
