import { sql } from "./database/sql.ts";
import type { Connection } from "./database/transaction.ts";

/**
 * Makes a sign-in and the proof of a second factor wait for each other: a session that began without a code neither
 * outlives the proof nor starts after it.
 */
export async function lockUser(trx: Connection, userId: string): Promise<void> {
  await sql`select from skedchange.users where id = ${userId} for update`.execute(trx);
}
