import { sql } from "kysely";
import type { Database } from "../database/database.ts";

/**
 * Appends at most `batch` (1 to 10,000) committed entries to the audit chain, in one transaction.
 * @returns how many; 0 also while another process appends
 */
export async function chainAuditEntries({ kysely }: Pick<Database, "kysely">, batch: number): Promise<number> {
  const { rows } = await sql<{ chained: number }>`
    select skedchange.seal_audit_entries(${batch}) as chained`.execute(kysely);
  return rows[0]!.chained;
}
