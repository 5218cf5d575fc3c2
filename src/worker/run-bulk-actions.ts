import type { Logger } from "../telemetry/logger.ts";
import type { BulkWork } from "./ports.ts";

/**
 * Takes the next case of the actions on many cases. Any number of processes may do so at once: each takes what no other
 * has in hand.
 *
 * @param onDue called when a case has become due.
 * @returns whether there was one, and so may be another.
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
