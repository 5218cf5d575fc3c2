import { backOffMs } from "../kernel/back-off.ts";
import { type RepeatedWork, repeatWork } from "../kernel/repeat-work.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { outageBackOff } from "./dispatch-queue.ts";

/** The wait between two sweeps without a kick. */
const sweepMs = 1_000;

/**
 * Sweeps for work at once, after each kick and each second, and repeats while there may be more. It backs off after a
 * failure, and no kick shortens that.
 * @param queue the name of the work, for the log and the metrics.
 * @param look does some of the work and returns whether more may be left.
 */
export function runSweeps(
  queue: string,
  look: () => Promise<boolean>,
  { logger, metrics }: { readonly logger: Logger; readonly metrics: Pick<Metrics, "feederFailures"> },
): RepeatedWork {
  return repeatWork({
    work: look,
    everyMs: sweepMs,
    onFailure: (error, failures) => {
      metrics.feederFailures.inc({ queue });
      logger.warn({ queue, error }, "feeder.failed");
      return backOffMs(outageBackOff, failures, Math.random());
    },
  });
}
