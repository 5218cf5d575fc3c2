import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";

/** In days, each from 0, which keeps for ever. */
export interface RetentionPeriods {
  readonly bodiesDays: number;
  readonly casesDays: number;
}

/** The functions that delete read the same. What was never stored is kept for ever. */
export async function readRetentionPeriods({ connection }: Pick<Database, "connection">): Promise<RetentionPeriods> {
  const { rows } = await sql<RetentionPeriods>`
    select bodies_days as "bodiesDays", cases_days as "casesDays" from skedchange.retention_periods
  `.execute(connection);
  return rows[0] ?? { bodiesDays: 0, casesDays: 0 };
}

/** Only the owner of the database may. */
export async function storeRetentionPeriods(
  { connection }: Pick<Database, "connection">,
  { bodiesDays, casesDays }: RetentionPeriods,
): Promise<void> {
  await sql`
    insert into skedchange.retention_periods (bodies_days, cases_days) values (${bodiesDays}, ${casesDays})
    on conflict (only_row) do update set bodies_days = excluded.bodies_days, cases_days = excluded.cases_days
  `.execute(connection);
}

export function isSamePeriods(one: RetentionPeriods, other: RetentionPeriods): boolean {
  return one.bodiesDays === other.bodiesDays && one.casesDays === other.casesDays;
}
