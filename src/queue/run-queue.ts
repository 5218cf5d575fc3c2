import { type RepeatedWork, repeatWork } from "../kernel/repeat-work.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { DispatchJob, Ids, QueueBackend } from "./dispatch-queue.ts";
import { runSweeps } from "./run-sweeps.ts";
import { createSlots } from "./slots.ts";

/** One kind of work: what is due, and how to process it. */
export interface QueueWork {
  readonly name: string;
  /**
   * Marks up to `limit` due things as dispatched and returns them, in one transaction. The mark must expire, so that a
   * lost dispatch is due again. It also bounds how much is dispatched at a time.
   */
  readonly takeDue: (limit: number) => Promise<readonly Ids[]>;
  /** How long such a mark lasts. A job that has waited for longer is removed, because what it names is due again. */
  readonly markMs: number;
  /** The limit for `takeDue`: enough work until the next sweep. The backlog belongs in PostgreSQL. */
  readonly batchSize: number;
  /** Called for one thing, perhaps twice for the same. A lease must decide which call does the work. */
  readonly handle: (ids: Ids) => Promise<void>;
  /** How many things this process handles at the same time, whatever jobs they came in. */
  readonly concurrency: number;
  /** After this many processed things there is room for more, so the queue is kicked. */
  readonly kickAfter: number;
  /** Logged if `handle` rejects. Its thing is not retried before it is due again. */
  readonly failureMessage: string;
}

/** The most things in one job. A job costs the same for one thing as for this many. */
export const thingsPerJobMax = 16;

/** How long the things of a job wait in this process for a free slot. */
export const putBackAfterMs = 500;

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
  const { name, batchSize, concurrency, markMs } = work;
  const slots = createSlots(concurrency);
  let handled = 0;
  /** Taken, but not in the queue yet. Kept over an outage, so that it does not take and mark more and more meanwhile. */
  let unqueued: readonly Ids[] = [];

  async function feedWhatIsDue(): Promise<boolean> {
    let mayBeMore = unqueued.length > 0;
    if (!mayBeMore) {
      unqueued = await work.takeDue(batchSize);
      metrics.dispatches.inc({ queue: name }, unqueued.length);
      mayBeMore = unqueued.length >= batchSize;
    }
    if (unqueued.length > 0) await queue.add(toJobs(unqueued, concurrency));
    unqueued = [];
    return mayBeMore;
  }

  /**
   * Starts what a job names as slots become free, and resolves once another slot is free, so that at most one job waits in
   * this process. What has not started after `putBackAfterMs` is put back for other processes, which may be idle.
   */
  async function handOut(job: DispatchJob): Promise<void> {
    const putBackAt = performance.now() + putBackAfterMs;
    let started = 0;
    while (started < job.length && (await slots.untilFree(putBackAt - performance.now()))) {
      const ids = job[started]!;
      started += 1;
      slots.start(() => handleOne(ids));
    }
    if (started < job.length) await queue.addFirst(job.slice(started)).catch(logFailure);
    await slots.untilFree();
  }

  async function handleOne(ids: Ids): Promise<void> {
    try {
      await work.handle(ids);
      handled += 1;
      if (handled % work.kickAfter === 0) feeder.kick();
    } catch (error) {
      logFailure(error);
    }
  }

  function logFailure(error: unknown): void {
    logger.error({ error }, work.failureMessage);
  }

  const queue = backend.openQueue(name);
  const consumer = backend.consume(name, logFailure, handOut);
  const feeder = runSweeps(name, feedWhatIsDue, { logger, metrics });
  const removal = repeatWork({
    work: () => queue.removeOlderThan(markMs),
    everyMs: markMs,
    firstAfterMs: markMs,
    onFailure: () => markMs,
  });
  return {
    kick: feeder.kick,
    async close() {
      // Closing the slots ends the waits of `handOut`, which puts back what has not started: the consumer waits for that.
      await Promise.all([feeder.close(), removal.close(), slots.close(), consumer.close()]);
    },
  };
}

/** As few jobs as possible, but none with more things than an idle process starts at once. */
function toJobs(things: readonly Ids[], concurrency: number): readonly DispatchJob[] {
  const size = Math.min(thingsPerJobMax, concurrency);
  return Array.from({ length: Math.ceil(things.length / size) }, (_, index) =>
    things.slice(index * size, (index + 1) * size),
  );
}
