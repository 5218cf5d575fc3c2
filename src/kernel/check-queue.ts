import { AppError } from "./app-error.ts";
import { createRecentSet } from "./recent-set.ts";

/** Runs checks of credentials that cost something, a few at a time, and fairly by the network that sent them. */
export interface CheckQueue {
  /**
   * Networks whose last candidate was right come first, then those not known yet, then those whose last one was wrong; of
   * each kind the networks take turns, and of one network its newest check comes first. So a flood from some networks
   * delays known senders by one check at most.
   * @param isRight whether the candidate was right, by the result of its check
   * @throws AppError `secret.too_many_candidates`, retryable, if newer checks took its place or it waited too long
   */
  run<Result>(network: string, check: () => Promise<Result>, isRight: (result: Result) => boolean): Promise<Result>;
  /** Whether the last candidate of the network was right. */
  isProven(network: string): boolean;
}

export const tooManyCandidates = "secret.too_many_candidates";

interface Waiting {
  readonly start: () => void;
  readonly refuse: () => void;
}

/** The waiting checks by network. The network whose turn it is comes first. */
type Lane = Map<string, Waiting[]>;

/** How far a network is trusted, by the last candidate that it sent. */
type Trust = "proven" | "unknown" | "suspect";

const rememberedMax = 10_000;

/** Senders try again; one that waits for longer only holds a connection. */
const waitMsMax = 5_000;

export function createCheckQueue(limits: {
  readonly running: number;
  readonly waiting: number;
  readonly waitMs?: number;
}): CheckQueue {
  const { waitMs = waitMsMax } = limits;
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
      const timer = setTimeout(() => giveUp(network, entry), waitMs).unref();
      const entry: Waiting = {
        start() {
          clearTimeout(timer);
          start();
        },
        refuse() {
          clearTimeout(timer);
          refuse(tooMany());
        },
      };
      const ofNetwork = lane.get(network);
      if (ofNetwork === undefined) lane.set(network, [entry]);
      else ofNetwork.push(entry);
    });
  }

  function giveUp(network: string, entry: Waiting): void {
    for (const lane of Object.values(lanes)) {
      const ofNetwork = lane.get(network);
      const index = ofNetwork?.indexOf(entry) ?? -1;
      if (ofNetwork === undefined || index === -1) continue;
      ofNetwork.splice(index, 1);
      if (ofNetwork.length === 0) lane.delete(network);
      waiting -= 1;
      entry.refuse();
    }
  }

  function trustOf(network: string): Trust {
    if (remembered.suspect.has(network)) return "suspect";
    return remembered.proven.has(network) ? "proven" : "unknown";
  }

  /** What waits of the network takes the place that the network has from now on. */
  function learn(network: string, isRight: boolean): void {
    const before = trustOf(network);
    remembered[isRight ? "proven" : "suspect"].add(network);
    remembered[isRight ? "suspect" : "proven"].delete(network);
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
    dropped.refuse();
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
    isProven: (network) => trustOf(network) === "proven",
  };
}

function tooMany(): AppError {
  return new AppError(tooManyCandidates, "Too many credentials are waiting to be checked. Try again shortly.", {
    retryable: true,
  });
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
