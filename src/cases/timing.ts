import type { BackOffPolicy } from "../kernel/back-off.ts";

/** The agency SLA for a priority. It also holds for less urgent ones, up to the next target. */
export interface ResponseTarget {
  /** 0 (most urgent) to 9. */
  readonly priority: number;
  readonly hours: number;
}

/** How long a status may still show an answered change as open, because stored statuses lag. Milliseconds. */
export const defaultStatusLagMs = 15 * 60_000;

/** Every wait of the worker. Milliseconds. */
export interface CaseTiming {
  /** How long a worker keeps an order without renewing the lease. At most the lock duration of the queue's job. */
  readonly leaseMs: number;
  readonly renewMs: number;
  /** How long a queued order is not queued again: the delay after the queue is wiped. */
  readonly dispatchMs: number;
  readonly retry: BackOffPolicy;
  /** After this long without a readable status a person is asked, while retries go on. */
  readonly escalateAfterMs: number;
  /** Waits before each status read that may settle an unknown effect. After the last one a person must. */
  readonly settleReadsMs: readonly number[];
  /** The longest gateway call. After that plus a lease, nobody can still be sending. */
  readonly callMaxMs: number;
  /** The undo window of an automatic effect; 0 means none. */
  readonly undoWindowMs: number;
  readonly statusLagMs: number;
  /** The agency SLA by priority; empty if the agency has none. */
  readonly responseTargets: readonly ResponseTarget[];
}

export const defaultTiming: CaseTiming = {
  leaseMs: 10_000,
  renewMs: 3_000,
  dispatchMs: 15_000,
  retry: { baseMs: 1_000, capMs: 30_000, jitter: 0.2 },
  escalateAfterMs: 60 * 60_000,
  settleReadsMs: [5_000, 30_000, 120_000],
  callMaxMs: 30_000,
  undoWindowMs: 0,
  statusLagMs: defaultStatusLagMs,
  responseTargets: [],
};
