import { systemClock } from "../../src/kernel/clock.ts";
import { newId } from "../../src/kernel/ids.ts";
import { createAutomation, insertStop } from "../../src/store/cases/automation.ts";
import type { Database } from "../../src/store/database/database.ts";
import { inTransaction } from "../../src/store/database/transaction.ts";

/** As if the brake and the limit had stopped the source, and somebody had resumed it: what was before counts no more. */
export async function forgetOutcomes(database: Database): Promise<void> {
  await inTransaction(database, async (transaction) => {
    for (const cause of ["outcomes", "hourly-limit"] as const) {
      const by = { stoppedAt: systemClock.now(), stoppedBy: "worker", note: "between two tests" };
      await insertStop(transaction, { id: newId(systemClock), source: "default", cause, ...by });
    }
  });
  const automation = createAutomation(database, systemClock, { sources: ["default"] });
  await automation.resume({ actor: "person:ana", source: "default" });
}
