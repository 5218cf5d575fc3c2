import { systemClock } from "../kernel/clock.ts";
import type { Database } from "../store/database/database.ts";
import { createDeliveryRetention } from "../store/deliveries/delivery-retention.ts";
import { eventTables, notificationTables } from "../store/deliveries/delivery-tables.ts";
import { createEventReplayStore, createReplayStore } from "../store/deliveries/replays.ts";
import type { Logger } from "../telemetry/logger.ts";
import { repeatJob } from "./repeat-job.ts";
import type { Shutdown } from "./shutdown.ts";

/** Deliveries of a replay that are added in one transaction. */
const replayBatch = 100;
/** How soon a replay that a person began is taken up. */
const replayEveryMs = 1_000;

/** Rows deleted in one transaction. Small, so that what is delivered meanwhile does not wait. */
const retentionBatch = 500;
const retentionEveryMs = 3_600_000;
const dayMs = 24 * 3_600_000;

/**
 * Works off replays of many deliveries, and deletes what has ended long ago, for as long as the process runs: of
 * notifications, and of the agency's own events.
 */
export function runSenderJobs(options: {
  readonly database: Database;
  readonly retentionDays: number;
  readonly logger: Logger;
  readonly shutdown: Shutdown;
}): void {
  const { database, retentionDays, logger, shutdown } = options;
  const sent = [
    {
      what: "delivery",
      replays: createReplayStore({ database, clock: systemClock }),
      retention: createDeliveryRetention(database, notificationTables),
    },
    {
      what: "event",
      replays: createEventReplayStore({ database, clock: systemClock }),
      retention: createDeliveryRetention(database, eventTables),
    },
  ];
  const parts = { logger, shutdown };
  for (const { what, replays, retention } of sent) {
    repeatJob(
      { name: `${what} replays`, everyMs: replayEveryMs, work: () => replays.advanceReplay(replayBatch) },
      parts,
    );
    repeatJob(
      {
        name: `${what} retention`,
        everyMs: retentionEveryMs,
        work: async () => {
          const before = new Date(systemClock.now().getTime() - retentionDays * dayMs);
          const deleted = await retention.deleteEnded(before, retentionBatch);
          if (deleted > 0) logger.info({ what, deleted, before }, "deliveries.deleted");
          return deleted > 0;
        },
      },
      parts,
    );
  }
}
