import type { BackOffPolicy } from "../kernel/back-off.ts";

/** Names one thing that is due, such as `{ source, orderId }`. Never a body: workers read the newest state. */
export type Ids = Readonly<Record<string, string>>;

/**
 * A request to process some things that are due. It has no delay, back-off or attempts, because BullMQ loses dispatches
 * with them; our tables say when something is due again. The same thing may be in several jobs, so a lease in our
 * tables must decide who works on it.
 */
export type DispatchJob = readonly Ids[];

export interface DispatchQueue {
  /** Queues jobs behind all others. Rejects soon; some of them may have been queued then. */
  add(jobs: readonly DispatchJob[]): Promise<void>;
  /** Queues a job before all others. Rejects soon. */
  addFirst(job: DispatchJob): Promise<void>;
  /** Removes jobs that have waited for longer than that. */
  removeOlderThan(ms: number): Promise<void>;
  close(): Promise<void>;
}

export interface DispatchConsumer {
  /** Takes nothing new, waits for the running `handle`, then resolves. */
  close(): Promise<void>;
}

/** One implementation per queue store. All of them pass `test/conformance/queue`. */
export interface QueueBackend {
  /** For people: `postgresql`, `redis`. */
  readonly kind: string;
  openQueue(name: string): DispatchQueue;
  /**
   * Calls `handle` for one job at a time. The job is gone once that resolves or rejects; a rejection goes to `onError`.
   * If the process dies before, another one is given the job.
   */
  consume(
    name: string,
    onError: (error: unknown) => void,
    handle: (job: DispatchJob) => Promise<void>,
  ): DispatchConsumer;
  ping(): Promise<void>;
  close(): Promise<void>;
}

export const outageBackOff: BackOffPolicy = { baseMs: 250, capMs: 5_000, jitter: 0.2 };
