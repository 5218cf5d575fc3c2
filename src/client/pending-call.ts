import type { OperationName } from "../contract/operations/operation.ts";
import { type Deadline, remainingMs } from "./deadline.ts";
import type { GatewayError, GatewayPhase } from "./gateway-error.ts";
import { aborted, closed } from "./transport-errors.ts";

/** A call that is under way, and everything that can end it from this side. */
export interface PendingCall {
  readonly operation: OperationName;
  readonly deadline: Deadline;
  /** The caller's. */
  readonly signal: AbortSignal | undefined;
  /** Aborted when the client is closed. */
  readonly closing: AbortSignal;
}

/** How a wait ends when what it waits for does not come. */
export interface WaitLimit {
  /** Longest wait; the call's deadline ends it as well. */
  readonly atMostMs?: number;
  /** What the call fails with then. */
  readonly late: () => GatewayError;
  /** What is known about the request while the wait lasts; `before-sending` when not given. */
  readonly phase?: Exclude<GatewayPhase, "answered">;
}

/** Waits for something other than the answer: it ends with the wait's limit, the call's deadline, its signal, the client. */
export function waitFor<Value>(call: PendingCall, promise: Promise<Value>, limit: WaitLimit): Promise<Value> {
  const { operation, signal, closing } = call;
  const phase = limit.phase ?? "before-sending";
  return new Promise<Value>((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      closing.removeEventListener("abort", onClose);
    };
    const fail = (error: unknown): void => {
      end();
      reject(error);
    };
    const onAbort = (): void => fail(aborted(operation, phase));
    const onClose = (): void => fail(closed(operation, phase));
    const waitMs = Math.min(limit.atMostMs ?? Number.POSITIVE_INFINITY, remainingMs(call.deadline));
    const timer = setTimeout(() => fail(limit.late()), waitMs);
    signal?.addEventListener("abort", onAbort, { once: true });
    closing.addEventListener("abort", onClose, { once: true });
    if (signal?.aborted === true) onAbort();
    if (closing.aborted) onClose();
    promise.then((value) => {
      end();
      resolve(value);
    }, fail);
  });
}
