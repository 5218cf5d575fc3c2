import { messageOf } from "../kernel/app-error.ts";
import { gatewayFailureOf } from "./gateway-failure.ts";
import type { EffectOutcome, EffectResult, GatewayAnswer, GatewayQuery, GatewayResult } from "./ports.ts";

/** The error code of an effect of which no byte left: the same decision may be carried out later. */
export const notSent = "desk.not_sent";

/**
 * Makes an irreversible gateway call and reads what came of it. Anything that is not clearly success or clearly failure
 * is unknown; never rejects.
 */
export async function performEffect(
  perform: () => Promise<GatewayAnswer<readonly GatewayResult[]>>,
  query: GatewayQuery,
): Promise<EffectOutcome> {
  try {
    const { answer: results, body } = await perform();
    return { ...readResults(results, query), results: results.map(toEffectResult), answer: body };
  } catch (error) {
    const failure = gatewayFailureOf(error);
    if (failure === null) return withoutAnswer("unknown", "desk.unexpected", messageOf(error));
    switch (failure.phase) {
      case "before-sending":
        return withoutAnswer("failed", notSent, failure.message);
      case "answered":
        return withoutAnswer("failed", failure.code, failure.message);
      case "unknown":
        return withoutAnswer("unknown", failure.code, failure.message);
    }
  }
}

function withoutAnswer(state: "failed" | "unknown", code: string, message: string): EffectOutcome {
  return { state, results: null, error: { code, message }, answer: null };
}

function readResults(
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
  return failed.length < results.length
    ? {
        state: "failed",
        error: { code: "desk.mixed_results", message: `Only some booking references succeeded: ${texts}` },
      }
    : { state: "failed", error: { code: "desk.gateway_failed", message: `The gateway answered FAILED: ${texts}` } };
}

/** Every result is about this order and says SUCCESS or FAILED, and together they cover every reference asked for. */
function isClear(results: readonly GatewayResult[], query: GatewayQuery): boolean {
  if (results.length === 0) return false;
  const named = new Set(results.flatMap((result) => result.gdsBookingReferences));
  const coversAll = named.size === 0 || query.gdsBookingReferences.every((reference) => named.has(reference));
  return (
    coversAll &&
    results.every(
      (result) =>
        (result.orderId === null || result.orderId === query.orderId) &&
        (result.status === "SUCCESS" || result.status === "FAILED"),
    )
  );
}

function toEffectResult(result: GatewayResult): EffectResult {
  const { gdsBookingReferences, status, errorMessage, refundAmount, refundText, refundPaxWiseFare } = result;
  return { gdsBookingReferences, status, errorMessage, refundAmount, refundText, refundPaxWiseFare };
}
