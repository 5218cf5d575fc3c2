import { systemClock } from "../kernel/clock.ts";
import type { Database } from "../store/database/database.ts";
import { addOverviewHours } from "../store/overview/overview-sums.ts";
import type { Logger } from "../telemetry/logger.ts";
import { repeatJob } from "./repeat-job.ts";
import type { Shutdown } from "./shutdown.ts";

/** Until an hour is added up, the overview reads what happened in it. */
const everyMs = 5 * 60_000;

export function runOverviewSums(options: {
  readonly database: Database;
  readonly logger: Logger;
  readonly shutdown: Shutdown;
}): void {
  repeatJob(
    { name: "sums of the overview", everyMs, work: () => addOverviewHours(options.database, systemClock) },
    options,
  );
}
