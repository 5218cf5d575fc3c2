import { sql } from "kysely";
import type { Database } from "../database/database.ts";

/** Chains up to `batch` (1 to 10,000) committed entries; returns how many, also 0 while another process chains. */
export async function chainAuditEntries({ kysely }: Pick<Database, "kysely">, batch: number): Promise<number> {
  const { rows } = await sql<{ chained: number }>`
    select skedchange.seal_audit_entries(${batch}) as chained`.execute(kysely);
  return rows[0]!.chained;
}
