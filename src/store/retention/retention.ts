import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";

/** How many of each went. */
export type DeletedCounts = Readonly<Record<string, number>>;

/**
 * Database functions choose and delete, because the service role may not. Each call is one transaction. They delete nothing
 * before the stored period is over, and throw if none is stored.
 */
export interface Retention {
  /** Deletes the bodies and texts of up to `batch` cases of orders on which all work ended before. */
  deleteBodies(before: Date, batch: number): Promise<DeletedCounts>;
  /** Deletes the finished cases of such orders, once their flights have departed before, with all that belongs to them. */
  deleteCases(before: Date, batch: number): Promise<DeletedCounts>;
}

export function createRetention({ connection }: Pick<Database, "connection">): Retention {
  return {
    deleteBodies: async (before, batch) => {
      const { rows } = await sql<{ counts: DeletedCounts }>`
        select skedchange.delete_expired_bodies(${before}, ${batch}) as counts`.execute(connection);
      return rows[0]!.counts;
    },
    deleteCases: async (before, batch) => {
      const { rows } = await sql<{ counts: DeletedCounts }>`
        select skedchange.delete_expired_cases(${before}, ${batch}) as counts`.execute(connection);
      return rows[0]!.counts;
    },
  };
}
