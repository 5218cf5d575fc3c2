import { systemClock } from "../../kernel/clock.ts";
import { runQueue } from "../../queue/run-queue.ts";
import { runSweeps, type Sweeps } from "../../queue/run-sweeps.ts";
import { requeueStoppedCases } from "../../store/cases/automation.ts";
import { dueChannel, pendingChannel } from "../../store/database/due-listener.ts";
import { openPendingCases } from "../../store/notifications/open-cases.ts";
import { countBlockedOrders } from "../../store/orders/blocked-orders.ts";
import { addOlderCases } from "../../store/search/older-cases.ts";
import { watchCounts } from "../../telemetry/metrics.ts";
import { runBulkActions } from "../../worker/run-bulk-actions.ts";
import { runMemberJobs } from "../member-jobs.ts";
import { runOverviewSums } from "../overview-job.ts";
import { runPolls } from "../poll-job.ts";
import { type ProcessParts, workerTimingOf } from "../process-parts.ts";
import { runReconciliation } from "../reconcile-job.ts";
import { repeatJob } from "../repeat-job.ts";
import { runRetention } from "../retention-job.ts";
import { runClocks } from "../worker-clocks.ts";
import { orderQueue } from "../worker-runtime.ts";

export async function startWorker(parts: ProcessParts): Promise<void> {
  const { configuration, database, queues, logger, metrics, shutdown, sweeps, kickOrders } = parts;
  const { settings } = configuration;
  const worker = await parts.worker();
  const members = await parts.members();
  sweeps.add(pendingChannel, "opening of cases", openCases(parts));
  sweeps.add(dueChannel, "queue of orders", runQueue(queues, orderQueue(worker, configuration), { logger, metrics }));
  runClocks({ database, logger, metrics, shutdown });
  watchCounts(metrics, {
    name: "skedchange_blocked_orders",
    help: "Orders on which no work gets done, by source.",
    label: "source",
    read: () => countBlockedOrders(database),
  });
  runReconciliation({
    database,
    everyMinutes: settings.RECONCILE_MINUTES,
    gatewayTimeoutSeconds: settings.GATEWAY_TIMEOUT_SECONDS,
    logger,
    metrics,
    shutdown,
  });
  runRetention({ database, settings, clock: systemClock, logger, metrics, shutdown });
  runPolls({
    database,
    gatewayOf: parts.accounts().gatewayOf,
    observing: { ...members, recorder: parts.recorder },
    timing: workerTimingOf(parts),
    logger,
    configuration,
    onDue: kickOrders,
    shutdown,
  });
  const requeueStopped = async (): Promise<boolean> => {
    await requeueStoppedCases(database.kysely);
    return false;
  };
  repeatJob({ name: "cases after a stop", everyMs: 60_000, work: requeueStopped }, parts);
  runMemberJobs(parts, members);
  const runBulk = () => runBulkActions({ work: parts.bulkActions(), logger, onDue: kickOrders });
  runOverviewSums(parts);
  repeatJob({ name: "search of older cases", everyMs: 5 * 60_000, work: () => addOlderCases(database) }, parts);
  repeatJob({ name: "bulk actions", everyMs: 1_000, work: runBulk }, parts);
}

function openCases({ database, logger, metrics, kickOrders }: ProcessParts): Sweeps {
  const look = async (): Promise<boolean> => {
    const { opened, mayBeMore } = await openPendingCases(database, systemClock);
    if (opened > 0) kickOrders();
    return mayBeMore;
  };
  return runSweeps("pending", look, { logger, metrics });
}
