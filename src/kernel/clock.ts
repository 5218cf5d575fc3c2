/** Injected everywhere, so that tests set the time. */
export interface Clock {
  now(): Date;
}

/** The only place that reads the system time. */
export const systemClock: Clock = { now: () => new Date() };
