import { AppError } from "../kernel/app-error.ts";
import { systemClock } from "../kernel/clock.ts";
import {
  previewRetention,
  type RetentionPeriods,
  type RetentionPreview,
} from "../store/retention/preview-retention.ts";
import type { DeletedCounts } from "../store/retention/retention.ts";
import { deleteExpired, isSome, retentionPeriods } from "./retention-job.ts";
import { type CommandContext, withConfiguredDatabase } from "./storage-beside.ts";

const connection = { applicationName: "skedchange retention", maxConnections: 2 };

/** Counts what retention would delete now. Works with or without running servers. */
export async function previewConfiguredRetention(
  context: CommandContext,
): Promise<{ readonly periods: RetentionPeriods; readonly previews: readonly RetentionPreview[] }> {
  return await withConfiguredDatabase(context, connection, async ({ database, settings }) => {
    const periods = retentionPeriods(settings, systemClock);
    return { periods, previews: await previewRetention(database, periods) };
  });
}

/**
 * Deletes now what the daily job would delete.
 * @param onProgress called after each transaction
 */
export async function runConfiguredRetention(
  context: CommandContext,
  onProgress: (totals: DeletedCounts) => void,
): Promise<{ readonly periods: RetentionPeriods; readonly deleted: DeletedCounts }> {
  return await withConfiguredDatabase(context, connection, async ({ database, settings }) => {
    const periods = retentionPeriods(settings, systemClock);
    const totals: Record<string, number> = {};
    while (true) {
      const batch = await deleteExpired(database, periods);
      if (batch === null) {
        throw new AppError("retention.under_way", "Another process is deleting what has expired. Try again later.", {
          retryable: true,
        });
      }
      if (!isSome(batch)) return { periods, deleted: totals };
      for (const [what, count] of Object.entries(batch)) totals[what] = (totals[what] ?? 0) + count;
      onProgress(totals);
    }
  });
}
