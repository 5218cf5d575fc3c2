import { overviewFigures } from "../../dashboard/overview-ports.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { inTransaction } from "../database/transaction.ts";
import { happenings } from "./happenings.ts";

/** What a transaction dates and then commits later than this is never counted. They take seconds. */
const settleMs = 10 * 60_000;
export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** Longer than the oldest range, whose chart and first day are read by the hour. Days are kept for ever. */
const hourlySumsDays = 400;

/**
 * Adds up the hours that have passed, at most one UTC day in one transaction, which also moves the mark. A kill undoes
 * both, and another process that does the same meanwhile is left alone.
 * @returns whether more is to be added up
 */
export async function addOverviewHours(database: Database, clock: Clock): Promise<boolean> {
  const passed = floorTo(hourMs, clock.now().getTime() - settleMs);
  await begin(database, passed);
  return await inTransaction(database, async (transaction) => {
    const { rows } = await sql<{ summed_until: Date }>`
      select summed_until from skedchange.overview_progress for update skip locked`.execute(transaction);
    const from = rows[0]?.summed_until;
    if (from === undefined || from.getTime() >= passed) return false;
    const day = floorTo(dayMs, from.getTime());
    const to = Math.min(day + dayMs, passed);
    await sql`
      insert into skedchange.overview_sums (span, begins_at, source, figure, name, part, value)
      select 'hour', happening.* from (${happenings([{ from, to: new Date(to) }])}) happening
      `.execute(transaction);
    if (to === day + dayMs) {
      await sql`
        insert into skedchange.overview_sums (span, begins_at, source, figure, name, part, value)
        select 'day', ${new Date(day)}::timestamptz, source, figure, name, part, sum(value)
        from skedchange.overview_sums
        where span = 'hour' and figure = any(${[...overviewFigures]}::text[])
          and begins_at >= ${new Date(day)} and begins_at < ${new Date(to)}
        group by source, figure, name, part`.execute(transaction);
      await sql`
        delete from skedchange.overview_sums
        where span = 'hour' and figure = any(${[...overviewFigures]}::text[])
          and begins_at < ${new Date(day - hourlySumsDays * dayMs)}`.execute(transaction);
    }
    await sql`update skedchange.overview_progress set summed_until = ${new Date(to)}`.execute(transaction);
    return to < passed;
  });
}

/** Begins with the oldest hour of which anything is stored. */
async function begin({ connection }: Database, passed: number): Promise<void> {
  await sql`
    insert into skedchange.overview_progress (summed_until)
    select date_trunc('hour', least(
      (select min(received_at) from skedchange.notifications),
      (select min(opened_at) from skedchange.cases),
      ${new Date(passed)}::timestamptz
    ), 'UTC')
    where not exists (select from skedchange.overview_progress)
    on conflict do nothing`.execute(connection);
}

export function floorTo(stepMs: number, at: number): number {
  return Math.floor(at / stepMs) * stepMs;
}
