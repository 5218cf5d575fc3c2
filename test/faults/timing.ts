import { defaultProcessTiming, type ProcessTiming } from "../../src/app/process-timing.ts";

/**
 * The waits of production, divided by about ten, in the same order of size: a status lags behind for less time than an
 * effect is settled for, a lease is over before the lock of its job, a person is asked after many tries.
 */
export const shortTiming: ProcessTiming = {
  worker: {
    ...defaultProcessTiming.worker,
    leaseMs: 2_000,
    renewMs: 600,
    dispatchMs: 3_000,
    retry: { baseMs: 200, capMs: 2_000, jitter: 0.2 },
    escalateAfterMs: 20_000,
    settleReadsMs: [500, 1_500, 2_500],
    callMaxMs: 3_000,
    statusLagMs: 5_000,
  },
  sender: {
    ...defaultProcessTiming.sender,
    attemptDeadlineMs: 2_000,
    leaseMarginMs: 1_000,
    lanesPerRecipient: 16,
    retry: { ...defaultProcessTiming.sender.retry, backOff: { baseMs: 200, capMs: 2_000, jitter: 0.2 } },
    health: { ...defaultProcessTiming.sender.health, hold: { baseMs: 300, capMs: 1_000, jitter: 0.2 } },
  },
  notices: defaultProcessTiming.notices,
  queue: { lockMs: 2_500, stalledCheckMs: 1_000 },
  circuit: { ...defaultProcessTiming.circuit, openMs: 500 },
};
