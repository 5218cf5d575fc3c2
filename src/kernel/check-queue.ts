import { AppError } from "./app-error.ts";
import { createRecentSet } from "./recent-set.ts";

/** Runs checks of credentials that cost something, a few at a time, and fairly by the network that sent them. */
export interface CheckQueue {
  /**
   * Networks without a wrong candidate lately come first, then the others in turn, and of one network its newest check.
   * So a flood from some networks delays the others by one check at most.
   * @param isRight whether the candidate was right, by the result of its check
   * @throws AppError `secret.too_many_candidates`, retryable, if newer checks took its place
   */
  run<Result>(network: string, check: () => Promise<Result>, isRight: (result: Result) => boolean): Promise<Result>;
}

export const tooManyCandidates = "secret.too_many_candidates";

interface Waiting {
  readonly start: () => void;
  readonly refuse: (error: AppError) => void;
}

/** The waiting checks by network. The network whose turn it is comes first. */
type Lane = Map<string, Waiting[]>;

const suspectsMax = 10_000;

export function createCheckQueue(limits: { readonly running: number; readonly waiting: number }): CheckQueue {
  const suspects = createRecentSet(suspectsMax);
  const lanes = { unsuspected: new Map() as Lane, suspected: new Map() as Lane };
  let running = 0;
  let waiting = 0;

  function enter(network: string): Promise<void> {
    if (running < limits.running) {
      running += 1;
      return Promise.resolve();
    }
    if (waiting >= limits.waiting) dropOldest();
    const lane = suspects.has(network) ? lanes.suspected : lanes.unsuspected;
    waiting += 1;
    return new Promise((start, refuse) => {
      const ofNetwork = lane.get(network);
      if (ofNetwork === undefined) lane.set(network, [{ start, refuse }]);
      else ofNetwork.push({ start, refuse });
    });
  }

  /** What waits of the network waits behind the others from now on. */
  function suspect(network: string): void {
    suspects.add(network);
    const moved = lanes.unsuspected.get(network);
    if (moved === undefined) return;
    lanes.unsuspected.delete(network);
    lanes.suspected.set(network, [...(lanes.suspected.get(network) ?? []), ...moved]);
  }

  /** A finished check passes its place on, so `running` stays unchanged. */
  function leave(): void {
    const next = takeNext(lanes.unsuspected) ?? takeNext(lanes.suspected);
    if (next === null) {
      running -= 1;
      return;
    }
    waiting -= 1;
    next.start();
  }

  function dropOldest(): void {
    const dropped = takeOldestOfLongest(lanes.suspected) ?? takeOldestOfLongest(lanes.unsuspected);
    if (dropped === null) return;
    waiting -= 1;
    dropped.refuse(
      new AppError(tooManyCandidates, "Too many credentials are waiting to be checked. Try again shortly.", {
        retryable: true,
      }),
    );
  }

  return {
    async run(network, check, isRight) {
      await enter(network);
      try {
        const result = await check();
        if (!isRight(result)) suspect(network);
        return result;
      } finally {
        leave();
      }
    },
  };
}

function takeNext(lane: Lane): Waiting | null {
  for (const [network, ofNetwork] of lane) {
    const newest = ofNetwork.pop()!;
    lane.delete(network);
    if (ofNetwork.length > 0) lane.set(network, ofNetwork);
    return newest;
  }
  return null;
}

function takeOldestOfLongest(lane: Lane): Waiting | null {
  let longest: [string, Waiting[]] | null = null;
  for (const entry of lane) {
    if (longest === null || entry[1].length > longest[1].length) longest = entry;
  }
  if (longest === null) return null;
  const [network, ofNetwork] = longest;
  const oldest = ofNetwork.shift()!;
  if (ofNetwork.length === 0) lane.delete(network);
  return oldest;
}
