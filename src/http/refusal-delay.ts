import type { Socket } from "node:net";

/** A client that renews its credentials is refused a few times. */
const promptOfConnection = { count: 5, windowMs: 10_000 };
/** Counts all connections together, because a flood opens as many as it likes. */
const promptOfAll = { count: 50, windowMs: 1_000 };
const delayMs = 1_000;

/** Says how long a refusal waits before it is sent. */
export type RefusalDelay = (socket: Socket | null, status: number, now?: number) => number;

/**
 * A refusal (401 or 429) waits a second when there were many. Node.js accepts one connection in each turn of the event
 * loop, so guesses that are refused at once, a hundred in each turn, would keep new connections of others waiting for
 * seconds.
 */
export function createRefusalDelay(): RefusalDelay {
  const ofConnections = new WeakMap<Socket, Counted>();
  const ofAll: Counted = { since: 0, count: 0 };
  return (socket, status, now = performance.now()) => {
    if (socket === null || (status !== 401 && status !== 429)) return 0;
    const ofConnection = ofConnections.get(socket) ?? { since: now, count: 0 };
    ofConnections.set(socket, ofConnection);
    const isPromptHere = countWithin(ofConnection, promptOfConnection, now);
    const isPromptForAll = countWithin(ofAll, promptOfAll, now);
    return isPromptHere && isPromptForAll ? 0 : delayMs;
  };
}

export const refusalDelayMs: RefusalDelay = createRefusalDelay();

interface Counted {
  since: number;
  count: number;
}

/** Counts one more, and says whether the limit allows it in this window. */
function countWithin(
  counted: Counted,
  limit: { readonly count: number; readonly windowMs: number },
  now: number,
): boolean {
  if (now - counted.since > limit.windowMs) Object.assign(counted, { since: now, count: 0 });
  counted.count += 1;
  return counted.count <= limit.count;
}
