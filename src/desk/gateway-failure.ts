import type { GatewayFailure } from "./ports.ts";

/**
 * The code of a gateway that does not take our credentials. That says nothing about the order, and holds for all of them:
 * they wait, and go on by themselves once the credentials are right.
 */
export const badCredentials = "gateway.unauthorized";

/** Reads anything that a gateway call threw as a failure with a phase; null when it did not come from the gateway. */
export function gatewayFailureOf(error: unknown): GatewayFailure | null {
  if (!(error instanceof Error) || !("phase" in error) || !("code" in error) || typeof error.code !== "string")
    return null;
  const { phase } = error;
  if (phase !== "before-sending" && phase !== "unknown" && phase !== "answered") return null;
  return {
    code: error.code,
    message: error.message,
    phase,
    retryable: "retryable" in error && error.retryable === true,
    retryAfterMs: "retryAfterMs" in error && typeof error.retryAfterMs === "number" ? error.retryAfterMs : null,
    gatewayText: "gatewayText" in error && typeof error.gatewayText === "string" ? error.gatewayText : null,
  };
}
