import type { Socket } from "node:net";

interface Refusals {
  readonly since: number;
  count: number;
}

const refusalsOf = new WeakMap<Socket, Refusals>();

/** A client that renews its credentials is refused a few times. */
const promptRefusals = 5;
const windowMs = 10_000;
const delayMs = 1_000;

/**
 * How long a refusal (401 or 429) waits before it is sent. Node.js accepts one connection in each turn of the event loop,
 * so guesses that are refused at once, a hundred in each turn, would keep new connections of others waiting for seconds.
 */
export function refusalDelayMs(socket: Socket | null, status: number, now = performance.now()): number {
  if (socket === null || (status !== 401 && status !== 429)) return 0;
  const known = refusalsOf.get(socket);
  const refusals = known === undefined || now - known.since > windowMs ? { since: now, count: 0 } : known;
  refusalsOf.set(socket, refusals);
  refusals.count += 1;
  return refusals.count > promptRefusals ? delayMs : 0;
}
