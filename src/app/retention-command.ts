import { AppError } from "../kernel/app-error.ts";
import { systemClock } from "../kernel/clock.ts";
import { previewRetention, type RetentionLimits, type RetentionPreview } from "../store/retention/preview-retention.ts";
import type { DeletedCounts } from "../store/retention/retention.ts";
import { deleteExpired, hasDeleted, limitsOf, readAllowedLimits } from "./delete-expired.ts";
import { type CommandContext, withConfiguredDatabase } from "./storage-beside.ts";
import { comparePeriods, type PeriodsWarning, periodsOf } from "./stored-periods.ts";

const connection = { applicationName: "skedchange retention", maxConnections: 2 };

interface RetentionResult {
  readonly periods: RetentionLimits;
  /** Null if the database has the periods of the settings. */
  readonly warning: PeriodsWarning | null;
}

/**
 * Counts what retention would delete now by the settings, so that they can be tried before they are stored. Works with or
 * without running servers.
 */
export async function previewConfiguredRetention(
  context: CommandContext,
): Promise<RetentionResult & { readonly previews: readonly RetentionPreview[] }> {
  return await withConfiguredDatabase(context, connection, async ({ database, settings }) => {
    const periods = limitsOf(periodsOf(settings), systemClock);
    const warning = await comparePeriods(database, settings);
    return { periods, warning, previews: await previewRetention(database, periods) };
  });
}

/**
 * Deletes now what the daily job would delete.
 * @param onProgress called after each transaction
 */
export async function runConfiguredRetention(
  context: CommandContext,
  onProgress: (totals: DeletedCounts) => void,
): Promise<RetentionResult & { readonly deleted: DeletedCounts }> {
  return await withConfiguredDatabase(context, connection, async ({ database, settings }) => {
    const periods = await readAllowedLimits(database, settings, systemClock);
    const warning = await comparePeriods(database, settings);
    const totals: Record<string, number> = {};
    while (true) {
      const batch = await deleteExpired(database, periods);
      if (batch === null) {
        throw new AppError("retention.under_way", "Another process is deleting what has expired. Try again later.", {
          retryable: true,
        });
      }
      if (!hasDeleted(batch)) return { periods, warning, deleted: totals };
      for (const [what, count] of Object.entries(batch)) totals[what] = (totals[what] ?? 0) + count;
      onProgress(totals);
    }
  });
}
