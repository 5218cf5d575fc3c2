import type { RepeatedWork } from "../kernel/repeat-work.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { Dispatch, QueueBackend } from "./dispatch-queue.ts";
import { runSweeps } from "./run-sweeps.ts";

/** One kind of work: what is due, and how to process it. */
export interface QueueWork {
  readonly name: string;
  /**
   * Marks up to `limit` due things as dispatched and returns them, in one transaction. The mark must expire, so that a
   * lost dispatch is due again. It also bounds how much is dispatched at a time.
   */
  readonly takeDue: (limit: number) => Promise<readonly Dispatch[]>;
  /** The limit for `takeDue`: enough work until the next sweep. The backlog belongs in PostgreSQL. */
  readonly batchSize: number;
  readonly handle: (ids: Readonly<Record<string, string>>) => Promise<void>;
  readonly concurrency: number;
  /** After this many processed things there is room for more, so the queue is kicked. */
  readonly kickAfter: number;
  /** Logged if `handle` rejects. Its thing is not retried before it is due again. */
  readonly failureMessage: string;
}

/**
 * Moves due work from our tables into a queue and processes it.
 * Taking commits before adding, so a crash in between leaves a marked dispatch outside the queue; its mark expires and
 * it is taken again. The reverse would be unsafe: a worker might finish before the mark is written, which would then
 * hide newer work.
 */
export function runQueue(
  backend: QueueBackend,
  work: QueueWork,
  { logger, metrics }: { readonly logger: Logger; readonly metrics: Metrics },
): RepeatedWork {
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
