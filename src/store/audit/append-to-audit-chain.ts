import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";

/**
 * Chains the next block, of up to `entriesMax` (1 to 10,000) entries. Returns how many it has: 0 if none waits, another
 * process is doing it, or a running transaction may still add an earlier one.
 */
export async function appendToAuditChain(
  { connection }: Pick<Database, "connection">,
  entriesMax: number,
): Promise<number> {
  const { rows } = await sql<{ chained: number }>`
    select skedchange.seal_audit_entries(${entriesMax}) as chained`.execute(connection);
  return rows[0]!.chained;
}
