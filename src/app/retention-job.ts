import { Counter } from "prom-client";
import type { Clock } from "../kernel/clock.ts";
import type { Database } from "../store/database/database.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { deleteExpired, hasDeleted, readAllowedLimits } from "./delete-expired.ts";
import type { Job } from "./jobs.ts";
import type { RetentionSettings } from "./stored-periods.ts";

const dayMs = 24 * 3_600_000;

/** After a start, workers first pick up what the previous process left. */
const usualFirstAfterMs = 5 * 60_000;

/** Deletes what has expired each day while the process runs. */
export function retentionJobs(options: {
  readonly database: Database;
  readonly settings: RetentionSettings;
  readonly clock: Clock;
  /** Milliseconds before the first run. Default: five minutes. */
  readonly firstAfterMs?: number;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, "registry">;
}): readonly Job[] {
  const { database, settings, clock, logger, metrics, firstAfterMs = usualFirstAfterMs } = options;
  if (settings.RETENTION_BODIES_DAYS === 0 && settings.RETENTION_CASES_DAYS === 0) return [];
  const deletedTotal = new Counter({
    name: "skedchange_retention_deleted_total",
    help: "What retention has deleted, by what it was, such as notificationBodies or cases.",
    labelNames: ["what"],
    registers: [metrics.registry],
  });
  const work = async (): Promise<boolean> => {
    const limits = await readAllowedLimits(database, settings, clock);
    const deleted = await deleteExpired(database, limits);
    if (deleted === null || !hasDeleted(deleted)) return false;
    for (const [what, count] of Object.entries(deleted)) deletedTotal.inc({ what }, count);
    logger.info({ deleted, ...limits }, "retention.deleted");
    return true;
  };
  return [{ name: "retention", everyMs: dayMs, firstAfterMs, work }];
}
