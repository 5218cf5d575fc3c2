import { type GatewayError, gatewayErrorCodes } from "../contract/failed-call.ts";
import type { Operation } from "../contract/operations/operation.ts";

export interface RetryOptions {
  /** Including the first; 1 means no repeats. */
  readonly attemptsMax: number;
  /** Upper bound of the first wait in ms; it doubles with each failure. */
  readonly baseMs: number;
  readonly capMs: number;
}

/** Not a timeout, which covers the whole call, and not a full queue or open circuit, which exist to prevent repeats. */
const passingCodes: readonly string[] = [
  gatewayErrorCodes.unreachable,
  gatewayErrorCodes.connectionLost,
  gatewayErrorCodes.httpStatus,
  gatewayErrorCodes.refused,
];

/**
 * Returns the wait in ms, or null for changes and other calls that must not be repeated. Full jitter, so that
 * simultaneous failures do not retry together. `Retry-After` is waited for completely, or not at all.
 * @param attempt attempts made, 1 or more
 * @param timeLeftMs of the call
 * @param random a number in [0, 1)
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
