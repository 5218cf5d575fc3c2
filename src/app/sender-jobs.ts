import { systemClock } from "../kernel/clock.ts";
import type { Database } from "../store/database.ts";
import { createDeliveryRetention } from "../store/delivery-retention.ts";
import { createReplayStore } from "../store/replays.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Shutdown } from "./shutdown.ts";

/** Deliveries of a replay that are added in one transaction. */
const replayBatch = 100;
/** How soon a replay that a person began is taken up. */
const replayEveryMs = 1_000;

/** Rows deleted in one transaction. Small, so that what is delivered meanwhile does not wait. */
const retentionBatch = 500;
const retentionEveryMs = 3_600_000;
const dayMs = 24 * 3_600_000;

/** Works off replays of many deliveries, and deletes what has ended long ago, for as long as the process runs. */
export function runSenderJobs(options: {
  readonly database: Database;
  readonly retentionDays: number;
  readonly logger: Logger;
  readonly shutdown: Shutdown;
}): void {
  const { database, retentionDays, logger, shutdown } = options;
  const replays = createReplayStore({ database, clock: systemClock });
  const retention = createDeliveryRetention(database);
  const jobs = [
    repeat("replays", replayEveryMs, () => replays.advanceReplay(replayBatch)),
    repeat("delivery retention", retentionEveryMs, async () => {
      const before = new Date(systemClock.now().getTime() - retentionDays * dayMs);
      const deleted = await retention.deleteEnded(before, retentionBatch);
      if (deleted > 0) logger.info({ deleted, before }, "deliveries.deleted");
      return deleted > 0;
    }),
  ];
  for (const { name, stop } of jobs) shutdown.add("work", name, stop);

  /** Runs the work until it answers that nothing is left, then again after a while. */
  function repeat(name: string, everyMs: number, work: () => Promise<boolean>) {
    let isStopping = false;
    let timer: NodeJS.Timeout | undefined;
    let running: Promise<void> = Promise.resolve();
    const run = async (): Promise<void> => {
      try {
        while (!isStopping && (await work()));
      } catch (error) {
        logger.warn({ job: name, error }, "job.failed");
      }
      if (!isStopping) timer = setTimeout(start, everyMs);
    };
    const start = (): void => {
      running = run();
    };
    start();
    const stop = async (): Promise<void> => {
      isStopping = true;
      clearTimeout(timer);
      await running;
    };
    return { name, stop };
  }
}
