import type { BackOffPolicy } from "../kernel/back-off.ts";

/**
 * A call to look at something that is due. It carries ids, never bodies: the worker reads the newest state from
 * PostgreSQL. There is no place here for a delay, a back-off or a number of attempts, because BullMQ loses wake-ups
 * with them; when something is due again is written in our own tables and fed again from there.
 */
export interface Dispatch {
  /** One thing that must be worked on strictly one at a time, such as `default/QX7R2M1A`. */
  readonly key: string;
  /** The ids that the worker needs. */
  readonly ids: Readonly<Record<string, string>>;
}

/** The producing end. */
export interface DispatchQueue {
  /**
   * Hands the dispatches to the workers. A key that is already waiting is not added again; one that is being worked on
   * is worked on once more afterwards. Rejects, soon, when the queue cannot be reached.
   */
  add(dispatches: readonly Dispatch[]): Promise<void>;
  close(): Promise<void>;
}

/** The consuming end: works until it is closed. */
export interface DispatchConsumer {
  /** Takes nothing new, waits for what is being worked on, then resolves. */
  close(): Promise<void>;
}

/** One implementation for each place that a queue can live in. All of them pass `test/conformance/queue`. */
export interface QueueBackend {
  /** What it runs on, for people: `postgresql`, `redis`. */
  readonly kind: string;
  openQueue(name: string): DispatchQueue;
  /**
   * Calls `handle` for each dispatch, at most `concurrency` at a time in this process, never two at a time for one key.
   * A rejection is reported to `onError` and ends that dispatch; nothing is tried again from here.
   */
  consume(
    name: string,
    options: { readonly concurrency: number; readonly onError: (error: unknown) => void },
    handle: (ids: Readonly<Record<string, string>>) => Promise<void>,
  ): DispatchConsumer;
  /** Resolves when the queue can be reached, rejects with what is wrong otherwise. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Wait after a failure of the database or of the queue. */
export const outageBackOff: BackOffPolicy = { baseMs: 250, capMs: 5_000, jitter: 0.2 };
