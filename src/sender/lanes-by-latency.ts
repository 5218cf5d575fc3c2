import { recipientDefaults } from "./recipient-defaults.ts";

/** How many requests at a time recipients without a limit of their own get: more while they respond quickly. */
export interface LanesByLatency {
  acknowledged(recipientId: string, durationMs: number): void;
  /** Anything but an acknowledgement. */
  failed(recipientId: string): void;
  /** Recipients that get more than the others. */
  raised(): readonly RaisedLanes[];
}

export interface RaisedLanes {
  readonly recipientId: string;
  readonly lanes: number;
}

/** A recipient behind a fast network responds in this time, with the waits of a busy sender. */
const quickMs = 50;
/** A recipient that takes longer is claimed no further ahead, and gets no more lanes than usual. */
export const slowMs = 100;

const lanesMax = recipientDefaults.lanesWhenQuick;

/** Those that responded last; every claim is given all of them. */
const recipientsMax = 64;

/**
 * Each quick response adds a lane, one that is neither quick nor slow changes nothing, and a slow one or a failure takes all
 * added lanes away.
 * @param usual lanes of a recipient that has not responded yet
 */
export function createLanesByLatency(usual: number): LanesByLatency {
  const added = new Map<string, number>();
  return {
    acknowledged(recipientId, durationMs) {
      if (durationMs > slowMs) added.delete(recipientId);
      if (durationMs > quickMs || usual >= lanesMax) return;
      const more = Math.min((added.get(recipientId) ?? 0) + 1, lanesMax - usual);
      added.delete(recipientId);
      added.set(recipientId, more);
      const [longestAgo] = added.keys();
      if (added.size > recipientsMax) added.delete(longestAgo!);
    },

    failed(recipientId) {
      added.delete(recipientId);
    },

    raised: () => [...added].map(([recipientId, lanes]) => ({ recipientId, lanes: usual + lanes })),
  };
}
