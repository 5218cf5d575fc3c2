import { GatewayError, gatewayErrorCodes } from "./gateway-error.ts";
import { type PendingCall, waitFor } from "./pending-call.ts";

/** How much one host of a gateway is asked at once. */
export interface ConcurrencyOptions {
  /** Calls under way at the same time. */
  readonly callsMax: number;
  /** Calls that may wait for a place. One more is refused at once. */
  readonly waitingMax: number;
  /** Longest wait for a place, in milliseconds. */
  readonly waitMs: number;
}

/** The places for calls to one host. */
export interface CallSlots {
  /**
   * Does the work of a call in a place of its own, first come, first served.
   *
   * @throws `gateway.busy` when no place became free in time; then the work was not begun.
   */
  run<Result>(call: PendingCall, work: () => Promise<Result>): Promise<Result>;
}

/**
 * Places of our own and not cockatiel's bulkhead: that one keeps callers that gave up in its queue, and when it comes to
 * one of them it does not serve the caller behind.
 */
export function createCallSlots({ callsMax, waitingMax, waitMs }: ConcurrencyOptions): CallSlots {
  let taken = 0;
  // A Set keeps the order in which callers came, and lets one who gives up leave from the middle.
  const waiting = new Set<() => void>();

  return {
    async run(call, work) {
      await take(call);
      try {
        return await work();
      } finally {
        giveBack();
      }
    },
  };

  async function take(call: PendingCall): Promise<void> {
    if (taken < callsMax) {
      taken += 1;
      return;
    }
    if (waiting.size >= waitingMax) throw busy(call, `${waiting.size} more wait for a place`);
    let onTurn = (): void => {};
    const turn = new Promise<void>((resolve) => {
      onTurn = resolve;
    });
    waiting.add(onTurn);
    try {
      await waitFor(call, turn, { atMostMs: waitMs, late: () => busy(call, "no place became free in time") });
    } catch (error) {
      // When its turn came in the very moment in which it gave up, the place goes to the next.
      if (!waiting.delete(onTurn)) giveBack();
      throw error;
    }
  }

  function giveBack(): void {
    const [next] = waiting;
    if (next === undefined) {
      taken -= 1;
      return;
    }
    waiting.delete(next);
    next();
  }

  function busy({ operation }: PendingCall, because: string): GatewayError {
    const message = `${operation} was not sent: ${callsMax} calls to the gateway are under way and ${because}.`;
    return new GatewayError(gatewayErrorCodes.busy, message, { operation, phase: "before-sending", retryable: true });
  }
}
