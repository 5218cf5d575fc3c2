import { backOffMs } from "../kernel/back-off.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { outageBackOff } from "./dispatch-queue.ts";

/** Work that is looked for again and again until it is closed. */
export interface Sweeps {
  /** There may be work: look now. Any number of kicks during a look cause one more look. */
  kick(): void;
  /** Finishes the running look, then resolves. */
  close(): Promise<void>;
}

/** Wait between two looks when nobody kicks. */
const sweepMs = 1_000;

/**
 * Looks for work at once, then after each kick and each second, and goes on while there may be more. After a failed look it
 * backs off, and no kick shortens that.
 *
 * @param queue the name of the work, for the log and the metrics.
 * @param look does some of the work; answers whether more may be left.
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
