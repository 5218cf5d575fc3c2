import { AppError } from "../kernel/app-error.ts";
import { silentLogger } from "../telemetry/logger.ts";
import type { ReconciliationReport } from "../worker/reconciliation.ts";
import { inconsistencyLimitsFor, reconcileAlone } from "./reconcile-job.ts";
import { type CommandContext, withConfiguredDatabase } from "./storage-beside.ts";

/** Works with or without running servers. */
export async function reconcileConfigured(
  request: CommandContext & { readonly repair: boolean },
): Promise<ReconciliationReport> {
  const connection = { applicationName: "skedchange reconcile", maxConnections: 2 };
  return await withConfiguredDatabase(request, connection, async ({ database, configuration }) => {
    const limits = inconsistencyLimitsFor(configuration.settings.GATEWAY_TIMEOUT_SECONDS);
    const report = await reconcileAlone({ database, logger: silentLogger, limits, repair: request.repair });
    if (report !== null) return report;
    throw new AppError(
      "reconciliation.under_way",
      "Another process is reconciling this database now. Try again in a minute.",
      { retryable: true },
    );
  });
}
