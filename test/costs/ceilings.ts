import type { Cost } from "./measured-work.ts";

/**
 * What one piece of work may cost the process that does it, on PostgreSQL as the queue. These are the numbers of today.
 * They may only go down: whoever makes a piece of work cheaper lowers its line in the same commit, and nobody raises one.
 * `SHOW_COSTS=1 npm test -- test/costs` prints what is measured.
 *
 * With BullMQ on Redis everything is the same but `queueStatements`, which are 0.
 */
export const ceilings = {
  /** From the wake-up to the case that is done, in the worker. One commit and one statement are the feeder's. */
  "automatic accept": {
    calls: 4,
    commits: 5,
    statements: 5,
    roundTrips: 5,
    unnamed: 0,
    notifies: 0,
    messages: 1,
    queueStatements: 6,
  },
  /** From the wake-up to the case that waits for a person, in the worker. */
  review: {
    calls: 1,
    commits: 3,
    statements: 3,
    roundTrips: 3,
    unnamed: 0,
    notifies: 0,
    messages: 1,
    queueStatements: 6,
  },
  /** Eight notifications of eight new orders that come while the commit before them is under way. */
  "batch of 8 acknowledgements": {
    calls: 0,
    commits: 1,
    statements: 1,
    roundTrips: 1,
    unnamed: 0,
    notifies: 0,
    messages: 0,
    queueStatements: 0,
  },
  /** Of one notification as of hundreds that are pending together, in the worker. */
  "opening of cases": {
    calls: 0,
    commits: 1,
    statements: 8,
    roundTrips: 6,
    unnamed: 0,
    notifies: 0,
    messages: 1,
    queueStatements: 6,
  },
  /**
   * From the wake-up to the notification that its recipient has acknowledged, in the sender: claimed with its body, recorded,
   * and looked for more. The first two write, so it is two commits.
   */
  "delivery of a notification": {
    calls: 1,
    commits: 3,
    statements: 3,
    roundTrips: 2,
    unnamed: 0,
    notifies: 0,
    messages: 1,
    queueStatements: 0,
  },
  /** The same for an event of the agency side, such as `case.decided`; it is first given to those who want it. */
  "delivery of an event": {
    calls: 1,
    commits: 6,
    statements: 14,
    roundTrips: 12,
    unnamed: 0,
    notifies: 0,
    messages: 0,
    queueStatements: 0,
  },
} as const satisfies Record<string, Cost>;

/** What a job of as many orders as a worker has slots costs the queue: as much as a job of one. */
export const queueCeiling = { ordersDueTogether: 8, queueStatements: 6 } as const;
