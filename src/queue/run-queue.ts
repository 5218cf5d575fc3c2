import { backOffMs } from "../kernel/back-off.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { type Dispatch, outageBackOff, type QueueBackend } from "./dispatch-queue.ts";

/** One kind of work: what is due, and what to do with it. */
export interface QueueWork {
  /** Of the queue, of which each kind of work has its own. */
  readonly name: string;
  /**
   * Marks up to `limit` due things as dispatched and returns them, in one transaction. The mark must expire by itself,
   * so that a dispatch which the queue lost is due again. It also bounds how much is dispatched at any time.
   */
  readonly takeDue: (limit: number) => Promise<readonly Dispatch[]>;
  /** The limit for `takeDue`: enough to keep the workers busy between two looks. The backlog belongs in PostgreSQL. */
  readonly batchSize: number;
  /** Works on one thing. `kick` is for a part of the work that goes on after this has resolved. */
  readonly handle: (ids: Readonly<Record<string, string>>, kick: () => void) => Promise<void>;
  /** Things worked on at the same time, at most. */
  readonly concurrency: number;
  /** After this many things that were handled there is room for more, so the queue is kicked. */
  readonly kickAfter: number;
  /** The log line of a `handle` that rejected. Its thing is not tried again before it is due again. */
  readonly failureMessage: string;
}

/** Work that goes through a queue until it is closed. */
export interface RunningQueue {
  /** Something may be due: look now. Any number of kicks during a look cause one more look. */
  kick(): void;
  /** Takes nothing new, finishes the running look and what is being worked on, then resolves. The backend closes the queue. */
  close(): Promise<void>;
}

/** Wait between two looks when nobody kicks. */
const sweepMs = 1_000;

/**
 * Moves what is due from our tables into a queue and works on what comes out of it. It looks at once, then after each kick
 * and each second, and goes on while full batches come back. After a failed look it backs off, and no kick shortens that.
 *
 * Taking commits before adding, so a dispatch can be marked and never reach the queue: when this process
 * dies in between. Its mark then expires and it is taken again. The other order could not be made safe: a worker
 * might finish before the mark is written, and the mark would then hide newer work.
 */
export function runQueue(
  backend: QueueBackend,
  work: QueueWork,
  { logger, metrics }: { readonly logger: Logger; readonly metrics: Metrics },
): RunningQueue {
  const { name, batchSize, concurrency } = work;
  let handled = 0;
  let kicked = false;
  let closing = false;
  let wake: (() => void) | undefined;
  /** Taken, but not in the queue yet. Kept over an outage, so that it does not take and mark more and more meanwhile. */
  let refused: readonly Dispatch[] = [];

  function kick(): void {
    kicked = true;
    wake?.();
  }

  async function feedUntilClosed(): Promise<void> {
    let failures = 0;
    while (!closing) {
      kicked = false;
      try {
        await feedWhatIsDue();
        failures = 0;
        if (!kicked) await sleep(sweepMs, { untilKicked: true });
      } catch (error) {
        failures += 1;
        metrics.feederFailures.inc({ queue: name });
        logger.warn({ queue: name, error }, "feeder.failed");
        await sleep(backOffMs(outageBackOff, failures, Math.random()), { untilKicked: false });
      }
    }
  }

  async function feedWhatIsDue(): Promise<void> {
    let mayBeMore: boolean;
    do {
      mayBeMore = refused.length > 0;
      if (!mayBeMore) {
        refused = await work.takeDue(batchSize);
        metrics.dispatches.inc({ queue: name }, refused.length);
      }
      mayBeMore ||= refused.length >= batchSize;
      if (refused.length > 0) await queue.add(refused);
      refused = [];
    } while (mayBeMore && !closing);
  }

  function sleep(ms: number, { untilKicked }: { untilKicked: boolean }): Promise<void> {
    if (closing) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(done, ms);
      function done(): void {
        clearTimeout(timer);
        wake = undefined;
        resolve();
      }
      wake = () => {
        if (untilKicked || closing) done();
      };
    });
  }

  const queue = backend.openQueue(name);
  const consumer = backend.consume(
    name,
    { concurrency, onError: (error) => logger.error({ error }, work.failureMessage) },
    async (ids) => {
      await work.handle(ids, kick);
      handled += 1;
      if (handled % work.kickAfter === 0) kick();
    },
  );
  const fed = feedUntilClosed();
  return {
    kick,
    async close() {
      closing = true;
      wake?.();
      await Promise.all([fed, consumer.close()]);
    },
  };
}
