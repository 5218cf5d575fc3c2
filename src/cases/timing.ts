import type { BackOffPolicy } from "../kernel/back-off.ts";

/** By when a person must have answered a case of a priority. It also holds for less urgent ones, up to the next target. */
export interface ResponseTarget {
  /** 0 (most urgent) to 9. */
  readonly priority: number;
  readonly hours: number;
}

/** How long a status may still show a change as open after it was answered: stored statuses lag behind. Milliseconds. */
export const defaultStatusLagMs = 15 * 60_000;

/** Every wait of the work on cases, in one place. Milliseconds. */
export interface CaseTiming {
  /** How long a worker owns an order without a sign of life. No longer than the lock of the job that woke it. */
  readonly leaseMs: number;
  /** How often a worker gives that sign. */
  readonly renewMs: number;
  /** How long an order that was handed to the queue is not handed out again: what a wiped queue costs. */
  readonly dispatchMs: number;
  /** Waits between tries when the gateway cannot be read. */
  readonly retry: BackOffPolicy;
  /** After this long without a readable status a person is asked to look, while the tries go on. */
  readonly escalateAfterMs: number;
  /** Waits before each status read that may settle an unknown effect. After the last one a person must. */
  readonly settleReadsMs: readonly number[];
  /** The longest that a call to the gateway can take. After it and a lease nobody can be sending any more. */
  readonly callMaxMs: number;
  /** How long an automatic accept or cancel is held back so that a person can stop it. 0: not at all. */
  readonly undoWindowMs: number;
  /** How long a status may still show a change as open after it was accepted: stored statuses lag behind. */
  readonly statusLagMs: number;
  /** By when a person must have answered, by priority; none: the agency has no target of its own. */
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
