import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../database/database.ts";
import { pendingChannel } from "../database/due-listener.ts";
import { sql } from "../database/sql.ts";

/** The pause between two messages. Each is a commit, and commits with a message wait for each other. */
const pauseMs = 10;

/** Announces pending notifications. At a high rate one message covers many; a lost one costs the wait for a poll. */
export function createPendingAnnouncement(database: Pick<Database, "connection">): () => void {
  let isRunning = false;
  let isAskedFor = false;

  async function announce(): Promise<void> {
    isRunning = true;
    try {
      while (isAskedFor) {
        isAskedFor = false;
        await sql`select pg_notify(${pendingChannel}, '')`.execute(database.connection);
        await sleep(pauseMs, undefined, { ref: false });
      }
    } catch {
      // If the database is unavailable, the next poll finds the pending notifications.
    } finally {
      isRunning = false;
    }
  }

  return () => {
    isAskedFor = true;
    if (!isRunning) void announce();
  };
}
