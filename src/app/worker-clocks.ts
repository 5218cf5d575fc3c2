import { systemClock } from "../kernel/clock.ts";
import { createClockStore } from "../store/cases/clocks.ts";
import type { Database } from "../store/database/database.ts";
import type { Logger } from "../telemetry/logger.ts";
import { type Metrics, watchCounts } from "../telemetry/metrics.ts";
import { markOverdueCases, markOverdueTasks } from "../worker/overdue.ts";
import type { Job } from "./jobs.ts";

const everyMs = 60_000;

export function clockJobs(options: {
  readonly database: Database;
  readonly logger: Logger;
  readonly metrics: Metrics;
}): readonly Job[] {
  const { database, logger, metrics } = options;
  const clocks = createClockStore(database, systemClock);
  watchCounts(metrics, {
    name: "skedchange_cases_overdue",
    help: "Open cases whose time to be decided has passed, by source.",
    label: "source",
    read: () => clocks.countOverdue(),
  });
  watchCounts(metrics, {
    name: "skedchange_tasks_overdue",
    help: "Open tasks whose time to be done has passed, by source.",
    label: "source",
    read: () => clocks.countOverdueTasks(),
  });
  return [
    { name: "overdue cases", everyMs, work: () => markOverdueCases({ clocks, logger, metrics }) },
    { name: "overdue tasks", everyMs, work: () => markOverdueTasks({ clocks, logger, metrics }) },
  ];
}
