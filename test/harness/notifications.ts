import { type Clock, systemClock } from "../../src/kernel/clock.ts";
import type { IncomingNotification, RecordingOutcome } from "../../src/receiver/ports.ts";
import type { Database } from "../../src/store/database/database.ts";
import { createNotificationStore } from "../../src/store/notifications/notifications.ts";
import { openPendingCases } from "../../src/store/notifications/open-cases.ts";

/** What becomes of notifications that come in: recorded by a receiver, then their cases opened and woken by a feeder. */
export async function takeIn(
  database: Database,
  batch: readonly IncomingNotification[],
  clock: Clock = systemClock,
): Promise<readonly RecordingOutcome[]> {
  const outcomes = await createNotificationStore(database).recordBatch(batch);
  await openAllPending(database, clock);
  return outcomes;
}

/** Until nothing is pending that nobody else has taken. */
export async function openAllPending(database: Database, clock: Clock = systemClock): Promise<void> {
  while ((await openPendingCases(database, clock)).opened > 0);
}
