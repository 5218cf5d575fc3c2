import { Gauge } from "prom-client";
import { dialect } from "../connectors/document/dialect.ts";
import { systemClock } from "../kernel/clock.ts";
import type { Database } from "../store/database/database.ts";
import { runAlone } from "../store/database/job-lock.ts";
import { createReconciliationStore } from "../store/notifications/reconciliation.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { type ReconciliationReport, reconcileTables } from "../worker/reconciliation.ts";
import { defaultInconsistencyLimits, type InconsistencyLimits } from "../worker/reconciliation-ports.ts";
import type { Job } from "./jobs.ts";

/** After a start, workers first pick up what the previous process left. */
const usualFirstAfterMs = 60_000;
const minuteMs = 60_000;

/** Runs in one process at a time; returns null while another one reconciles. */
export async function reconcileAlone(options: {
  readonly database: Database;
  readonly logger: Logger;
  readonly limits: InconsistencyLimits;
  readonly repair: boolean;
}): Promise<ReconciliationReport | null> {
  const { database, logger, limits, repair } = options;
  const store = createReconciliationStore({ database, dialect, clock: systemClock, limits });
  return await runAlone(database, "reconciliation", () => reconcileTables({ store, logger }, { repair }));
}

/** An effect may take the longest call plus the lease of a worker that died with it. */
export function inconsistencyLimitsFor(gatewayTimeoutSeconds: number): InconsistencyLimits {
  const effectMs = Math.max(defaultInconsistencyLimits.effectMs, 2 * gatewayTimeoutSeconds * 1_000 + minuteMs);
  return { ...defaultInconsistencyLimits, effectMs };
}

/** Reconciles at this interval in minutes while the process runs; 0 for never. */
export function reconciliationJobs(options: {
  readonly database: Database;
  readonly everyMinutes: number;
  readonly gatewayTimeoutSeconds: number;
  /** Milliseconds before the first run. Default: a minute. */
  readonly firstAfterMs?: number;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, "registry">;
}): readonly Job[] {
  const { database, everyMinutes, gatewayTimeoutSeconds, logger, metrics } = options;
  if (everyMinutes === 0) return [];
  const { firstAfterMs = usualFirstAfterMs } = options;
  const limits = inconsistencyLimitsFor(gatewayTimeoutSeconds);
  const registers = [metrics.registry];
  const unattended = new Gauge({
    name: "skedchange_unattended_notifications",
    help: "Acknowledged notifications without a case, or whose case makes no progress, as the last reconciliation of this process left them.",
    registers,
  });
  const inconsistent = new Gauge({
    name: "skedchange_inconsistencies",
    help: "What the last reconciliation of this process found wrong, by what came of it: repaired or needs-person.",
    labelNames: ["outcome"],
    registers,
  });
  const work = async (): Promise<void> => {
    const report = await reconcileAlone({ database, logger, limits, repair: true });
    if (report === null) return;
    unattended.set(report.acknowledged.withoutCase + report.acknowledged.withoutProgress);
    inconsistent.set({ outcome: "repaired" }, report.counts.repaired);
    inconsistent.set({ outcome: "needs-person" }, report.counts["needs-person"]);
  };
  return [{ name: "reconciliation", everyMs: everyMinutes * minuteMs, firstAfterMs, work }];
}
