import { sql } from "kysely";
import type { Connection } from "../database/transaction.ts";

/**
 * Names the actor of this transaction to the audit triggers, for rows without a column for it.
 * @param actor `person:` and the user's name
 */
export async function nameActor(transaction: Connection, actor: string): Promise<void> {
  await sql`select set_config('skedchange.actor', ${actor}, true)`.execute(transaction);
}
