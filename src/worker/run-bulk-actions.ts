import type { Logger } from "../telemetry/logger.ts";
import type { BulkWork } from "./ports.ts";

/**
 * Applies the bulk actions to the next case. Several processes may run it at once, since each takes a free case.
 * @param onDue called when a case has become due.
 * @returns whether there was a case, and so may be another.
 */
export async function runBulkActions(options: {
  readonly work: BulkWork;
  readonly logger: Logger;
  readonly onDue: () => void;
}): Promise<boolean> {
  const step = await options.work.workNext();
  if (step === null) return false;
  options.logger.info({ ...step }, "bulk_action.case_acted_on");
  if (step.outcome === "accepted") options.onDue();
  return true;
}
