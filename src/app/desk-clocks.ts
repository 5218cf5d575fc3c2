import { markOverdueCases } from "../desk/overdue.ts";
import { systemClock } from "../kernel/clock.ts";
import { createClockStore } from "../store/clocks.ts";
import type { Database } from "../store/database.ts";
import type { Logger } from "../telemetry/logger.ts";
import { type Metrics, watchCounts } from "../telemetry/metrics.ts";
import { repeatJob } from "./repeat-job.ts";
import type { Shutdown } from "./shutdown.ts";

const everyMs = 60_000;

/** Marks cases whose time to be decided has passed, every minute for as long as the process runs, and counts them. */
export function runClocks(options: {
  readonly database: Database;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly shutdown: Shutdown;
}): void {
  const { database, logger, metrics, shutdown } = options;
  const clocks = createClockStore(database, systemClock);
  watchCounts(metrics, {
    name: "skedchange_cases_overdue",
    help: "Open cases whose time to be decided has passed, by source.",
    label: "source",
    read: () => clocks.countOverdue(),
  });
  repeatJob(
    { name: "overdue cases", everyMs, work: () => markOverdueCases({ clocks, logger, metrics }) },
    { logger, shutdown },
  );
}
