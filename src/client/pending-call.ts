import type { GatewayError, GatewayPhase } from "../contract/failed-call.ts";
import { remainingMs } from "./deadline.ts";
import type { Sending } from "./transport.ts";
import { aborted, closed } from "./transport-errors.ts";

export interface PendingCall extends Pick<Sending, "operation" | "deadline" | "traceparent"> {
  readonly signal: AbortSignal | undefined;
  readonly closing: AbortSignal;
}

export interface WaitLimit {
  /** Also limited by the call's deadline. */
  readonly atMostMs?: number;
  readonly late: () => GatewayError;
  /** How far the request is during the wait. Default: `before-sending`. */
  readonly phase?: Exclude<GatewayPhase, "responded">;
}

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
