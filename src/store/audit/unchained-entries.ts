import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { lastChainedId, readHead } from "./audit-blocks.ts";

/** Entries that are in no block yet, since when the oldest waits, and the number of the newest block. */
export interface UnchainedEntries {
  readonly waiting: number;
  readonly oldestAt: Date | null;
  readonly chainedUntil: number;
}

export async function readUnchained({ connection }: Pick<Database, "connection">): Promise<UnchainedEntries> {
  const { rows } = await sql<Omit<UnchainedEntries, "chainedUntil">>`
    select count(*) as waiting, min(e.recorded_at) as "oldestAt"
    from (
      select id, recorded_at from skedchange.audit_entries union all select id, recorded_at from skedchange.audited_lines
    ) e
    where e.id > ${lastChainedId}`.execute(connection);
  return { ...rows[0]!, chainedUntil: (await readHead(connection)).block };
}
