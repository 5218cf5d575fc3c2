import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { Dispatch, QueueBackend } from "./dispatch-queue.ts";
import { runSweeps, type Sweeps } from "./run-sweeps.ts";

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
  /** Works on one thing. */
  readonly handle: (ids: Readonly<Record<string, string>>) => Promise<void>;
  /** Things worked on at the same time, at most. */
  readonly concurrency: number;
  /** After this many things that were handled there is room for more, so the queue is kicked. */
  readonly kickAfter: number;
  /** The log line of a `handle` that rejected. Its thing is not tried again before it is due again. */
  readonly failureMessage: string;
}

/** Work that goes through a queue until it is closed. A kick says that something may be due. */
export type RunningQueue = Sweeps;

/**
 * Moves what is due from our tables into a queue and works on what comes out of it.
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
  /** Taken, but not in the queue yet. Kept over an outage, so that it does not take and mark more and more meanwhile. */
  let unqueued: readonly Dispatch[] = [];

  async function feedWhatIsDue(): Promise<boolean> {
    let mayBeMore = unqueued.length > 0;
    if (!mayBeMore) {
      unqueued = await work.takeDue(batchSize);
      metrics.dispatches.inc({ queue: name }, unqueued.length);
      mayBeMore = unqueued.length >= batchSize;
    }
    if (unqueued.length > 0) await queue.add(unqueued);
    unqueued = [];
    return mayBeMore;
  }

  const queue = backend.openQueue(name);
  const consumer = backend.consume(
    name,
    { concurrency, onError: (error) => logger.error({ error }, work.failureMessage) },
    async (ids) => {
      await work.handle(ids);
      handled += 1;
      if (handled % work.kickAfter === 0) feeder.kick();
    },
  );
  const feeder = runSweeps(name, feedWhatIsDue, { logger, metrics });
  return {
    kick: feeder.kick,
    async close() {
      await Promise.all([feeder.close(), consumer.close()]);
    },
  };
}
