import type { Database } from "./database.ts";

/** Returns null if another process runs the work. The lock's own connection ends it with the process. */
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
      // A connection that can't release the lock must not return to the pool.
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
