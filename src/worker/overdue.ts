import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { ClockStore } from "./ports.ts";

/** Cases or tasks per transaction. Small, so that people who work on them do not wait. */
const batch = 100;

/** Marks and counts a batch of overdue cases, each once in all processes. @returns whether more may be left. */
export async function markOverdueCases(worker: {
  readonly clocks: Pick<ClockStore, "markOverdue">;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, "overdueCases">;
}): Promise<boolean> {
  const overdue = await worker.clocks.markOverdue(batch);
  for (const { source, orderId, caseId, dueBy, rule } of overdue) {
    worker.metrics.overdueCases.inc({ source, rule });
    worker.logger.warn({ source, orderId, caseId, dueBy, rule }, "case.overdue");
  }
  return overdue.length === batch;
}

/** Does the same for a batch of tasks. */
export async function markOverdueTasks(worker: {
  readonly clocks: Pick<ClockStore, "markOverdueTasks">;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, "overdueTasks">;
}): Promise<boolean> {
  const overdue = await worker.clocks.markOverdueTasks(batch);
  for (const { source, orderId, caseId, taskId, kind, dueBy, rule } of overdue) {
    worker.metrics.overdueTasks.inc({ source, rule });
    worker.logger.warn({ source, orderId, caseId, taskId, kind, dueBy, rule }, "task.overdue");
  }
  return overdue.length === batch;
}
