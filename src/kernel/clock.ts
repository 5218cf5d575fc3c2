/** Where "now" comes from. Everything that needs the time takes a clock, so that tests decide what time it is. */
export interface Clock {
  now(): Date;
}

/** The machine's own clock. The only place that asks the system for the time. */
export const systemClock: Clock = { now: () => new Date() };
