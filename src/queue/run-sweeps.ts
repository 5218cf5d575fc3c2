import { backOffMs } from "../kernel/back-off.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { outageBackOff } from "./dispatch-queue.ts";

export interface Sweeps {
  /** Starts a sweep at once. Any number of kicks during a sweep cause one more. */
  kick(): void;
  /** Finishes the running sweep, then resolves. */
  close(): Promise<void>;
}

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
): Sweeps {
  let kicked = false;
  let closing = false;
  let endPause: (() => void) | undefined;

  async function sweepUntilClosed(): Promise<void> {
    let failures = 0;
    while (!closing) {
      kicked = false;
      try {
        while ((await look()) && !closing);
        failures = 0;
        if (!kicked) await sleep(sweepMs, { untilKicked: true });
      } catch (error) {
        failures += 1;
        metrics.feederFailures.inc({ queue });
        logger.warn({ queue, error }, "feeder.failed");
        await sleep(backOffMs(outageBackOff, failures, Math.random()), { untilKicked: false });
      }
    }
  }

  function sleep(ms: number, { untilKicked }: { untilKicked: boolean }): Promise<void> {
    if (closing) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(done, ms);
      function done(): void {
        clearTimeout(timer);
        endPause = undefined;
        resolve();
      }
      endPause = () => {
        if (untilKicked || closing) done();
      };
    });
  }

  const swept = sweepUntilClosed();
  return {
    kick() {
      kicked = true;
      endPause?.();
    },
    async close() {
      closing = true;
      endPause?.();
      await swept;
    },
  };
}
