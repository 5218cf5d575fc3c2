import { sql } from "kysely";
import type { Connection } from "../database/transaction.ts";

/** Names the actor, such as `person:<name>`, to the audit triggers, for rows without a column for it. */
export async function nameActor(transaction: Connection, actor: string): Promise<void> {
  await sql`select set_config('skedchange.actor', ${actor}, true)`.execute(transaction);
}
