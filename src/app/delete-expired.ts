import type { Clock } from "../kernel/clock.ts";
import type { Database } from "../store/database/database.ts";
import { runAlone } from "../store/database/job-lock.ts";
import type { RetentionLimits } from "../store/retention/preview-retention.ts";
import { createRetention, type DeletedCounts } from "../store/retention/retention.ts";
import { type RetentionPeriods, readRetentionPeriods } from "../store/retention/retention-periods.ts";
import { longerPeriods, periodsOf, type RetentionSettings } from "./stored-periods.ts";

const dayMs = 24 * 3_600_000;

/** Cases per transaction; few, so that receivers and workers do not wait. */
const batchSize = 50;

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
    if (hasDeleted(cases)) return cases;
    const bodies = bodiesBefore === null ? {} : await deleteBodies(bodiesBefore, batchSize);
    return hasDeleted(bodies) ? bodies : {};
  });
}

/** Whether a batch deleted something, so that more may be left. */
export function hasDeleted(counts: DeletedCounts): boolean {
  return Object.values(counts).some((count) => count > 0);
}
