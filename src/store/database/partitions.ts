import type pg from "pg";
import type { Clock } from "../../kernel/clock.ts";
import type { Database } from "./database.ts";

/** One month back, for differing clocks and replays over a month's end, to two months ahead. */
const monthsBehind = 1;
const monthsMade = 4;

/**
 * Creates the coming partitions of notifications; returns how many were missing. Call it daily. A missed run loses
 * nothing, because two months exist in advance and the default partition takes the rest.
 */
export async function ensurePartitions(database: Database, clock: Clock): Promise<number> {
  return ensurePartitionsOn(database.pool, clock);
}

export async function ensurePartitionsOn(connection: pg.ClientBase | pg.Pool, clock: Clock): Promise<number> {
  const now = clock.now();
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsBehind, 1));
  const { rows } = await connection.query<{ made: number }>(
    "select skedchange.ensure_notification_partitions($1::date, $2::integer) as made",
    [first.toISOString().slice(0, 10), monthsMade],
  );
  return rows[0]?.made ?? 0;
}
