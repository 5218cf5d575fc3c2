import type { EffectAction } from "../cases/decision.ts";
import {
  credentialsRefused,
  type EffectOutcome,
  type EffectResult,
  mixedResults,
  notSent,
  refusedTemporarily,
  withoutResponse,
} from "../cases/effect.ts";
import { describeParts, partsOf } from "../cases/outcome-words.ts";
import type { PerformedEffect } from "../cases/step.ts";
import { findBusinessCode } from "../contract/business-codes.ts";
import { GatewayError, gatewayErrorCodes } from "../contract/failed-call.ts";
import { messageOf } from "../kernel/app-error.ts";
import type { GatewayQuery, GatewayResponse, GatewayResult } from "./gateway-ports.ts";

/** The lease or the status may have expired right before sending. */
export const notSentInTime: PerformedEffect = {
  outcome: withoutResponse("failed", notSent, "Too much time passed right before sending, so nothing was sent."),
  retryAfterMs: null,
};

/** Calls the gateway. Anything but a clear success or failure is unknown. Never rejects. */
export async function performEffect(
  action: EffectAction,
  perform: () => Promise<GatewayResponse<readonly GatewayResult[]>>,
  query: GatewayQuery,
): Promise<PerformedEffect> {
  try {
    const { result: results, body } = await perform();
    const outcome = { ...readResults(action, results, query), results: results.map(toEffectResult), response: body };
    return { outcome, retryAfterMs: null };
  } catch (error) {
    if (!(error instanceof GatewayError)) {
      return { outcome: withoutResponse("unknown", "desk.unexpected", messageOf(error)), retryAfterMs: null };
    }
    const { retryAfterMs } = error;
    switch (error.phase) {
      case "before-sending":
        return { outcome: withoutResponse("failed", notSent, error.message), retryAfterMs };
      case "responded": {
        return { outcome: withoutResponse("failed", codeOfRefusal(error), error.message), retryAfterMs };
      }
      case "unknown":
        return { outcome: withoutResponse("unknown", error.code, error.message), retryAfterMs };
    }
  }
}

/** A call refused by a rate limit or for its credentials was not looked at, so even a cancel may be sent again. */
function codeOfRefusal({ code, retryable }: GatewayError): string {
  if (code === gatewayErrorCodes.unauthorized) return credentialsRefused;
  return retryable ? refusedTemporarily : code;
}

function readResults(
  action: EffectAction,
  results: readonly GatewayResult[],
  query: GatewayQuery,
): { state: EffectOutcome["state"]; error: EffectOutcome["error"] } {
  if (!isClear(results, query)) {
    return {
      state: "unknown",
      error: {
        code: "desk.unclear_results",
        message: `The gateway's result for order ${query.orderId} does not say clearly what happened to ${query.gdsBookingReferences.join(", ")}.`,
      },
    };
  }
  const failed = results.filter((result) => result.status === "FAILED");
  if (failed.length === 0) return { state: "succeeded", error: null };
  const texts = failed.map((result) => result.errorMessage || "no reason given").join("; ");
  if (failed.length < results.length) {
    const parts = partsOf(results);
    const which = parts === null ? "Only some booking references succeeded" : describeParts(action, parts);
    const message = `${which}: ${texts}`;
    return { state: "failed", error: { code: mixedResults, message } };
  }
  // A cancel that failed behind the gateway may have reached the airline, so only a person repeats it.
  const isTemporary = action === "accept" && failed.every(({ errorMessage }) => isRetryable(errorMessage));
  const code = isTemporary ? refusedTemporarily : "desk.gateway_failed";
  return { state: "failed", error: { code, message: `The gateway responded with FAILED: ${texts}` } };
}

/** Whether a message is, or begins with, a code that the gateway calls temporary. */
function isRetryable(errorMessage: string): boolean {
  const [code] = /^(?:\d{1,3}$|[A-Z][A-Z_]+)/.exec(errorMessage.trim()) ?? [];
  return code !== undefined && findBusinessCode(code)?.retryable === true;
}

/** Whether all results are SUCCESS or FAILED for this order, on all references or none, without conflicts. */
function isClear(results: readonly GatewayResult[], query: GatewayQuery): boolean {
  if (results.length === 0) return false;
  const statuses = new Map<string, string>();
  for (const { orderId, status, gdsBookingReferences } of results) {
    if (orderId !== null && orderId !== query.orderId) return false;
    if (status !== "SUCCESS" && status !== "FAILED") return false;
    for (const reference of gdsBookingReferences) {
      if (!query.gdsBookingReferences.includes(reference)) return false;
      if ((statuses.get(reference) ?? status) !== status) return false;
      statuses.set(reference, status);
    }
  }
  return statuses.size === 0 || query.gdsBookingReferences.every((reference) => statuses.has(reference));
}

function toEffectResult(result: GatewayResult): EffectResult {
  const { gdsBookingReferences, status, errorMessage, refundAmount, refundText, refundPaxWiseFare } = result;
  return { gdsBookingReferences, status, errorMessage, refundAmount, refundText, refundPaxWiseFare };
}
