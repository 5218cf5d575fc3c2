import type { Database } from "./database.ts";

/**
 * Runs the work unless another process is at it. The lock belongs to a connection of its own, so it is free again when
 * its process dies.
 *
 * @returns null when another process is at it.
 */
export async function runAlone<T>(
  { pool }: Pick<Database, "pool">,
  job: string,
  work: () => Promise<T>,
): Promise<T | null> {
  const client = await pool.connect();
  const lock = [`skedchange.${job}`];
  let isUsable = true;
  try {
    const { rows } = await client.query<{ taken: boolean }>(
      "select pg_try_advisory_lock(hashtextextended($1, 0)) as taken",
      lock,
    );
    if (rows[0]?.taken !== true) return null;
    try {
      return await work();
    } finally {
      // A connection that cannot give the lock back must not go back to the pool with it.
      isUsable = false;
      await client.query("select pg_advisory_unlock(hashtextextended($1, 0))", lock).then(
        () => {
          isUsable = true;
        },
        () => {},
      );
    }
  } finally {
    client.release(!isUsable);
  }
}
