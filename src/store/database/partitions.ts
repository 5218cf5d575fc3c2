import type pg from "pg";
import type { Clock } from "../../kernel/clock.ts";
import type { Database } from "./database.ts";

/** From last month, for clocks that differ and for replays over a month's end, to two months ahead. */
const monthsBehind = 1;
const monthsMade = 4;

/**
 * Makes the monthly partitions of notifications that will be needed next, and answers how many were missing. Call it
 * once a day: two months are always ahead, and what no partition covers lands in the default one, so a run that does
 * not happen loses nothing.
 */
export async function ensurePartitions(database: Database, clock: Clock): Promise<number> {
  return ensurePartitionsOn(database.pool, clock);
}

/** The same on any connection. */
export async function ensurePartitionsOn(connection: pg.ClientBase | pg.Pool, clock: Clock): Promise<number> {
  const now = clock.now();
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsBehind, 1));
  const { rows } = await connection.query<{ made: number }>(
    "select skedchange.ensure_notification_partitions($1::date, $2::integer) as made",
    [first.toISOString().slice(0, 10), monthsMade],
  );
  return rows[0]?.made ?? 0;
}
