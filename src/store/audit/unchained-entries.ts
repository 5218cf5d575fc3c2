import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";

/** Entries that are not in the chain yet, since when the oldest waits, and the place of the newest link. */
export interface UnchainedEntries {
  readonly waiting: number;
  readonly oldestAt: Date | null;
  readonly chainedUntil: number;
}

export async function readUnchained({ connection }: Pick<Database, "connection">): Promise<UnchainedEntries> {
  const { rows } = await sql<UnchainedEntries>`
    select count(*) as waiting, min(e.recorded_at) as "oldestAt",
      coalesce((select max(seq) from skedchange.audit_chain), 0) as "chainedUntil"
    from skedchange.audit_unsealed u join skedchange.audit_entries e on e.id = u.entry_id`.execute(connection);
  return rows[0]!;
}
