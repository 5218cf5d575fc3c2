import { AppError } from "./app-error.ts";
import { createRecentSet } from "./recent-set.ts";

/** Runs checks of credentials that cost something, a few at a time, and fairly by the network that sent them. */
export interface CheckQueue {
  /**
   * Networks that sent only right candidates lately come first, then those not known yet, then those that sent a wrong
   * one; of each kind the networks take turns, and of one network its newest check comes first. So a flood from some
   * networks delays known senders by one check at most.
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

/** How far a network is trusted, by the candidates that it sent lately. */
type Trust = "proven" | "unknown" | "suspect";

const rememberedMax = 10_000;

export function createCheckQueue(limits: { readonly running: number; readonly waiting: number }): CheckQueue {
  const remembered = { proven: createRecentSet(rememberedMax), suspect: createRecentSet(rememberedMax) };
  const lanes: Readonly<Record<Trust, Lane>> = { proven: new Map(), unknown: new Map(), suspect: new Map() };
  let running = 0;
  let waiting = 0;

  function enter(network: string): Promise<void> {
    if (running < limits.running) {
      running += 1;
      return Promise.resolve();
    }
    if (waiting >= limits.waiting) dropOldest();
    const lane = lanes[trustOf(network)];
    waiting += 1;
    return new Promise((start, refuse) => {
      const ofNetwork = lane.get(network);
      if (ofNetwork === undefined) lane.set(network, [{ start, refuse }]);
      else ofNetwork.push({ start, refuse });
    });
  }

  function trustOf(network: string): Trust {
    if (remembered.suspect.has(network)) return "suspect";
    return remembered.proven.has(network) ? "proven" : "unknown";
  }

  /** What waits of the network takes the place that the network has from now on. */
  function learn(network: string, isRight: boolean): void {
    const before = trustOf(network);
    remembered[isRight ? "proven" : "suspect"].add(network);
    const after = trustOf(network);
    const moved = lanes[before].get(network);
    if (after === before || moved === undefined) return;
    lanes[before].delete(network);
    lanes[after].set(network, moved);
  }

  /** A finished check passes its place on, so `running` stays unchanged. */
  function leave(): void {
    const next = takeNext(lanes.proven) ?? takeNext(lanes.unknown) ?? takeNext(lanes.suspect);
    if (next === null) {
      running -= 1;
      return;
    }
    waiting -= 1;
    next.start();
  }

  function dropOldest(): void {
    const { suspect, unknown, proven } = lanes;
    const dropped = takeOldestOfLongest(suspect) ?? takeOldestOfLongest(unknown) ?? takeOldestOfLongest(proven);
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
        learn(network, isRight(result));
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
