import type { Operation } from "../contract/operations/operation.ts";
import { type GatewayError, gatewayErrorCodes } from "./gateway-error.ts";

/** How often a call that only reads is made, and how long it waits in between. */
export interface RetryOptions {
  /** The first one included. 1 never repeats anything. */
  readonly attemptsMax: number;
  /** Upper bound of the wait after the first failure, in milliseconds; it doubles with each further one. */
  readonly baseMs: number;
  /** Where the doubling ends. */
  readonly capMs: number;
}

/**
 * Failures after which the same read may well succeed. Not among them: a deadline, because it is the call's whole time; a
 * full queue or an open circuit, because asking again at once is what they are there to prevent.
 */
const passingCodes: readonly string[] = [
  gatewayErrorCodes.unreachable,
  gatewayErrorCodes.connectionLost,
  gatewayErrorCodes.httpStatus,
  gatewayErrorCodes.refused,
];

/**
 * How long to wait before a failed call is made again, in milliseconds; null when it must not be.
 *
 * Only operations that change nothing and may be sent again ever are. The wait is random between zero and its bound (full
 * jitter), so that callers that failed together do not come back together. What the gateway asks for in `Retry-After` is
 * waited for in full, or not at all when the call has not that much time.
 *
 * @param attempt how many attempts were made, 1 or more.
 * @param timeLeftMs what is left of the call's time.
 * @param random a number in [0, 1).
 */
export function retryWaitMs(
  operation: Pick<Operation, "readOnly" | "resendable">,
  error: GatewayError,
  options: RetryOptions,
  { attempt, timeLeftMs, random }: { readonly attempt: number; readonly timeLeftMs: number; readonly random: number },
): number | null {
  if (!operation.readOnly || !operation.resendable) return null;
  if (attempt >= options.attemptsMax) return null;
  if (!error.retryable || !passingCodes.includes(error.code)) return null;
  const bound = Math.min(options.baseMs * 2 ** (attempt - 1), options.capMs);
  const waitMs = Math.max(Math.round(bound * random), error.retryAfterMs ?? 0);
  return waitMs < timeLeftMs ? waitMs : null;
}
