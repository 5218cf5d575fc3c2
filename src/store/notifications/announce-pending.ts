import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../database/database.ts";
import { pendingChannel } from "../database/due-listener.ts";

/** Between two messages. Each is a commit, and commits with a message wait for each other. */
const pauseMs = 10;

/**
 * Tells the processes that work on orders that notifications are pending. At a high rate one message stands for many; one that
 * is lost costs no more than the wait for their next look.
 */
export function createPendingAnnouncement(database: Pick<Database, "pool">): () => void {
  let isRunning = false;
  let isAskedFor = false;

  async function announce(): Promise<void> {
    isRunning = true;
    try {
      while (isAskedFor) {
        isAskedFor = false;
        await database.pool.query("select pg_notify($1, '')", [pendingChannel]);
        await sleep(pauseMs, undefined, { ref: false });
      }
    } catch {
      // The database is away, and whoever looks again once it is back finds what is pending.
    } finally {
      isRunning = false;
    }
  }

  return () => {
    isAskedFor = true;
    if (!isRunning) void announce();
  };
}
