import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";

/**
 * Appends up to `entriesMax` (1 to 10,000) committed entries to the chain. Returns how many it appended: 0 if there are
 * none, or another process is doing it.
 */
export async function appendToAuditChain(
  { connection }: Pick<Database, "connection">,
  entriesMax: number,
): Promise<number> {
  const { rows } = await sql<{ appended: number }>`
    select skedchange.seal_audit_entries(${entriesMax}) as appended`.execute(connection);
  return rows[0]!.appended;
}
