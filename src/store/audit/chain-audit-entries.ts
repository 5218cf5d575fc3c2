import { sql } from "kysely";
import type { Database } from "../database/database.ts";

/**
 * Joins committed entries to the chain of the audit, at most `batch` (1 to 10,000), in one transaction.
 *
 * @returns how many were joined; 0 as well while another process joins some.
 */
export async function chainAuditEntries({ kysely }: Pick<Database, "kysely">, batch: number): Promise<number> {
  const { rows } = await sql<{ chained: number }>`
    select skedchange.seal_audit_entries(${batch}) as chained`.execute(kysely);
  return rows[0]!.chained;
}
