import type { BackOffPolicy } from "../kernel/back-off.ts";

/**
 * A request to process something that is due. It contains ids, never bodies: the worker reads the newest state from
 * PostgreSQL. It has no delay, back-off or attempts, because BullMQ loses dispatches with them; our tables say when
 * something is due again.
 */
export interface Dispatch {
  /** Something that must be processed one at a time, such as `default/QX7R2M1A`. */
  readonly key: string;
  readonly ids: Readonly<Record<string, string>>;
}

export interface DispatchQueue {
  /** Queues the dispatches. A waiting key is not added again; one in work runs once more. Rejects soon. */
  add(dispatches: readonly Dispatch[]): Promise<void>;
  close(): Promise<void>;
}

export interface DispatchConsumer {
  /** Takes nothing new, waits for running work, then resolves. */
  close(): Promise<void>;
}

/** One implementation per queue store. All of them pass `test/conformance/queue`. */
export interface QueueBackend {
  /** For people: `postgresql`, `redis`. */
  readonly kind: string;
  openQueue(name: string): DispatchQueue;
  /** Calls `handle`, one at a time per key. A rejection goes to `onError`, without a retry. */
  consume(
    name: string,
    options: { readonly concurrency: number; readonly onError: (error: unknown) => void },
    handle: (ids: Readonly<Record<string, string>>) => Promise<void>,
  ): DispatchConsumer;
  ping(): Promise<void>;
  close(): Promise<void>;
}

export const outageBackOff: BackOffPolicy = { baseMs: 250, capMs: 5_000, jitter: 0.2 };
