import { type Kysely, sql } from "kysely";
import type { Tables } from "../database/tables.ts";

/**
 * Tells the triggers of the audit who does what this transaction does, where no column says it.
 *
 * @param actor `person:` and who.
 */
export async function nameActor(transaction: Kysely<Tables>, actor: string): Promise<void> {
  await sql`select set_config('skedchange.actor', ${actor}, true)`.execute(transaction);
}
