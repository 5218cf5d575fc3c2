import { type BackOffPolicy, backOffMs } from "../kernel/back-off.ts";
import type { Dispatch, DispatchQueue } from "./dispatch-queue.ts";

export interface FeederOptions {
  /**
   * Marks up to `limit` due things as dispatched and returns them, in one transaction. The mark must expire by itself,
   * so that a dispatch which the queue lost is due again. It also bounds how much is dispatched at any time.
   */
  readonly takeDue: (limit: number) => Promise<readonly Dispatch[]>;
  readonly queue: Pick<DispatchQueue, "add">;
  /** Wait between two looks when nobody kicks. */
  readonly sweepMs?: number;
  /** Things taken at once. */
  readonly batchSize?: number;
  /** Wait after a failure of the database or of the queue. A kick does not shorten it. */
  readonly backOff?: BackOffPolicy;
  readonly onError: (error: unknown) => void;
}

/** Moves what is due from our tables into the queue, for as long as it runs. */
export interface Feeder {
  /** Something may be due: look now. Any number of kicks during a look cause one more look. */
  kick(): void;
  /** Finishes the running look, then resolves. */
  stop(): Promise<void>;
}

const defaultBackOff: BackOffPolicy = { baseMs: 250, capMs: 5_000, jitter: 0.2 };

/**
 * Starts a feeder. It looks at once, then after each kick and each `sweepMs`, and goes on while full batches come back.
 *
 * Taking commits before adding, so a dispatch can be marked and never reach the queue: when this process
 * dies in between. Its mark then expires and it is taken again. The other order could not be made safe: a worker
 * might finish before the mark is written, and the mark would then hide newer work.
 */
export function createFeeder(options: FeederOptions): Feeder {
  const { sweepMs = 1_000, batchSize = 200, backOff = defaultBackOff } = options;
  let kicked = true;
  let stopping = false;
  let wake: (() => void) | undefined;
  /** Taken, but not in the queue yet. Kept over an outage, so that it does not take and mark more and more meanwhile. */
  let refused: readonly Dispatch[] = [];

  async function feedUntilStopped(): Promise<void> {
    let failures = 0;
    while (!stopping) {
      kicked = false;
      try {
        await feedWhatIsDue();
        failures = 0;
        if (!kicked) await sleep(sweepMs, { untilKicked: true });
      } catch (error) {
        failures += 1;
        options.onError(error);
        await sleep(backOffMs(backOff, failures, Math.random()), { untilKicked: false });
      }
    }
  }

  async function feedWhatIsDue(): Promise<void> {
    let mayBeMore: boolean;
    do {
      mayBeMore = refused.length > 0;
      if (!mayBeMore) refused = await options.takeDue(batchSize);
      mayBeMore ||= refused.length >= batchSize;
      if (refused.length > 0) await options.queue.add(refused);
      refused = [];
    } while (mayBeMore && !stopping);
  }

  function sleep(ms: number, { untilKicked }: { untilKicked: boolean }): Promise<void> {
    if (stopping) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(done, ms);
      function done(): void {
        clearTimeout(timer);
        wake = undefined;
        resolve();
      }
      wake = () => {
        if (untilKicked || stopping) done();
      };
    });
  }

  const ended = feedUntilStopped();
  return {
    kick() {
      kicked = true;
      wake?.();
    },
    stop() {
      stopping = true;
      wake?.();
      return ended;
    },
  };
}
