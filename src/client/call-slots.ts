import { GatewayError, gatewayErrorCodes } from "../contract/failed-call.ts";
import { type PendingCall, waitFor } from "./pending-call.ts";

export interface ConcurrencyOptions {
  readonly callsMax: number;
  /** Further calls are refused at once. */
  readonly waitingMax: number;
  /** In milliseconds. */
  readonly waitMs: number;
}

export interface CallSlots {
  /**
   * First come, first served.
   * @throws `gateway.busy` if no slot became free in time; the work was not started
   */
  run<Result>(call: PendingCall, work: () => Promise<Result>): Promise<Result>;
}

/** Cockatiel's bulkhead keeps aborted callers in its queue and then does not serve the caller behind them. */
export function createCallSlots({ callsMax, waitingMax, waitMs }: ConcurrencyOptions): CallSlots {
  let taken = 0;
  // A Set keeps the order of callers and lets one leave from the middle.
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
    if (waiting.size >= waitingMax) throw busy(call, `${waiting.size} more wait for a slot`);
    let onTurn = (): void => {};
    const turn = new Promise<void>((resolve) => {
      onTurn = resolve;
    });
    waiting.add(onTurn);
    try {
      await waitFor(call, turn, { atMostMs: waitMs, late: () => busy(call, "no slot became free in time") });
    } catch (error) {
      // If the caller gave up at the same moment, the slot goes to the next.
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
