import { systemClock } from "../../kernel/clock.ts";
import type { RepeatedWork } from "../../kernel/repeat-work.ts";
import { runQueue } from "../../queue/run-queue.ts";
import { runSweeps } from "../../queue/run-sweeps.ts";
import { requeueStoppedCases } from "../../store/cases/automation.ts";
import { dueChannel, pendingChannel } from "../../store/database/due-listener.ts";
import { openPendingCases } from "../../store/notifications/open-cases.ts";
import { countBlockedOrders } from "../../store/orders/blocked-orders.ts";
import { addOverviewHours } from "../../store/overview/overview-sums.ts";
import { addOlderCases } from "../../store/search/older-cases.ts";
import { watchCounts } from "../../telemetry/metrics.ts";
import { runBulkActions } from "../../worker/run-bulk-actions.ts";
import { type Job, startJobs } from "../jobs.ts";
import { requeueMembersJob } from "../member-jobs.ts";
import { pollJobs } from "../poll-job.ts";
import { type ProcessParts, workerTimingOf } from "../process-parts.ts";
import { reconciliationJobs } from "../reconcile-job.ts";
import { retentionJobs } from "../retention-job.ts";
import { alignPeriods } from "../stored-periods.ts";
import { clockJobs } from "../worker-clocks.ts";
import { orderQueue } from "../worker-runtime.ts";

const secondMs = 1_000;
const minuteMs = 60_000;

export async function startWorker(parts: ProcessParts): Promise<void> {
  const { configuration, database, queues, logger, metrics, sweeps, timing } = parts;
  await alignPeriods({ ...parts, settings: configuration.settings });
  const orders = orderQueue(await parts.worker(), configuration, timing.worker);
  sweeps.add([pendingChannel], "opening of cases", openCases(parts));
  sweeps.add([dueChannel], "queue of orders", runQueue(queues, orders, { logger, metrics }));
  watchCounts(metrics, {
    name: "skedchange_blocked_orders",
    help: "Orders on which no work gets done, by source.",
    label: "source",
    read: () => countBlockedOrders(database),
  });
  startJobs(await jobsOf(parts), parts);
}

async function jobsOf(parts: ProcessParts): Promise<readonly Job[]> {
  const { configuration, database, logger, recorder, kickOrders } = parts;
  const { settings } = configuration;
  const members = await parts.members();
  return [
    ...clockJobs(parts),
    ...reconciliationJobs({
      ...parts,
      everyMinutes: settings.RECONCILE_MINUTES,
      gatewayTimeoutSeconds: settings.GATEWAY_TIMEOUT_SECONDS,
    }),
    ...retentionJobs({ ...parts, settings, clock: systemClock }),
    ...pollJobs({
      ...{ database, configuration, logger, onDue: kickOrders },
      gatewayOf: parts.accounts().gatewayOf,
      observing: { ...members, recorder },
      timing: workerTimingOf(parts),
    }),
    { name: "cases after a stop", everyMs: minuteMs, work: () => requeueStoppedCases(database.connection) },
    requeueMembersJob(parts, members),
    // Until an hour is added up, the overview reads what happened in it.
    { name: "sums of the overview", everyMs: 5 * minuteMs, work: () => addOverviewHours(database, systemClock) },
    { name: "search of older cases", everyMs: 5 * minuteMs, work: () => addOlderCases(database) },
    {
      name: "bulk actions",
      everyMs: secondMs,
      work: () => runBulkActions({ work: parts.bulkActions(), logger, onDue: kickOrders }),
    },
  ];
}

function openCases({ keyedDatabase, logger, metrics, kickOrders }: ProcessParts): RepeatedWork {
  const look = async (): Promise<boolean> => {
    const { opened, mayBeMore } = await openPendingCases(keyedDatabase, systemClock);
    if (opened > 0) kickOrders();
    return mayBeMore;
  };
  return runSweeps("pending", look, { logger, metrics });
}
