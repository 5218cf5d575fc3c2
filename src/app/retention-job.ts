import { Counter } from "prom-client";
import type { Clock } from "../kernel/clock.ts";
import type { Database } from "../store/database/database.ts";
import { runAlone } from "../store/database/job-lock.ts";
import type { RetentionLimits } from "../store/retention/preview-retention.ts";
import { createRetention, type DeletedCounts } from "../store/retention/retention.ts";
import { type RetentionPeriods, readRetentionPeriods } from "../store/retention/retention-periods.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { Job } from "./jobs.ts";
import { longerPeriods, periodsOf, type RetentionSettings } from "./retention-periods.ts";

const dayMs = 24 * 3_600_000;

/** Cases per transaction; few, so that receivers and workers do not wait. */
const batchSize = 50;

/** After a start, workers first pick up what the previous process left. */
const usualFirstAfterMs = 5 * 60_000;

export function limitsOf({ bodiesDays, casesDays }: RetentionPeriods, clock: Clock): RetentionLimits {
  const before = (days: number): Date | null => (days === 0 ? null : new Date(clock.now().getTime() - days * dayMs));
  return { bodiesBefore: before(bodiesDays), casesBefore: before(casesDays) };
}

/** Returns what both the settings and the database allow to delete. */
export async function readAllowedLimits(
  database: Database,
  settings: RetentionSettings,
  clock: Clock,
): Promise<RetentionLimits> {
  return limitsOf(longerPeriods(periodsOf(settings), await readRetentionPeriods(database)), clock);
}

/**
 * Deletes one batch of what has expired, in one process at a time; returns null while another one does, and no counts
 * once nothing is left. What goes with its case need not be emptied before, so cases come first.
 */
export function deleteExpired(database: Database, limits: RetentionLimits): Promise<DeletedCounts | null> {
  const { deleteCases, deleteBodies } = createRetention(database);
  return runAlone(database, "retention", async () => {
    const { casesBefore, bodiesBefore } = limits;
    const cases = casesBefore === null ? {} : await deleteCases(casesBefore, batchSize);
    if (isSome(cases)) return cases;
    const bodies = bodiesBefore === null ? {} : await deleteBodies(bodiesBefore, batchSize);
    return isSome(bodies) ? bodies : {};
  });
}

/** Whether a batch deleted something, so that more may be left. */
export function isSome(counts: DeletedCounts): boolean {
  return Object.values(counts).some((count) => count > 0);
}

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
    if (deleted === null || !isSome(deleted)) return false;
    for (const [what, count] of Object.entries(deleted)) deletedTotal.inc({ what }, count);
    logger.info({ deleted, ...limits }, "retention.deleted");
    return true;
  };
  return [{ name: "retention", everyMs: dayMs, firstAfterMs, work }];
}
