import { AppError } from "../kernel/app-error.ts";
import { systemClock } from "../kernel/clock.ts";
import { recheckWaitingCases } from "../store/notifications/reconciliation.ts";
import { silentLogger } from "../telemetry/logger.ts";
import type { ReconciliationReport } from "../worker/reconciliation.ts";
import { inconsistencyLimitsFor, reconcileAlone } from "./reconcile-job.ts";
import { type CommandContext, withConfiguredDatabase } from "./storage-beside.ts";

export interface ReconcileRequest extends CommandContext {
  readonly repair: boolean;
  readonly recheck: boolean;
}

/** Works with or without running servers. `rechecked` counts the waiting cases whose status workers read now. */
export async function reconcileConfigured(
  request: ReconcileRequest,
): Promise<ReconciliationReport & { readonly rechecked: number }> {
  const connection = { applicationName: "skedchange reconcile", maxConnections: 2 };
  return await withConfiguredDatabase(request, connection, async ({ database, settings }) => {
    const limits = inconsistencyLimitsFor(settings.GATEWAY_TIMEOUT_SECONDS);
    const report = await reconcileAlone({ database, logger: silentLogger, limits, repair: request.repair });
    if (report === null) {
      throw new AppError(
        "reconciliation.under_way",
        "Another process is reconciling this database now. Try again in a minute.",
        { retryable: true },
      );
    }
    return { ...report, rechecked: request.recheck ? await recheckWaitingCases(database, systemClock) : 0 };
  });
}
