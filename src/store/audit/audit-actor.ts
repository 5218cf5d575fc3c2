import { sql } from "kysely";
import type { Connection } from "../database/transaction.ts";

/**
 * Tells the triggers of the audit who does what this transaction does, where no column says it.
 *
 * @param actor `person:` and who.
 */
export async function nameActor(transaction: Connection, actor: string): Promise<void> {
  await sql`select set_config('skedchange.actor', ${actor}, true)`.execute(transaction);
}
