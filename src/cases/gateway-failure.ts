/** What a failed gateway call tells: the phase decides the reaction. */
export interface GatewayFailure {
  readonly code: string;
  readonly message: string;
  /** `before-sending`: no byte left. `answered`: the gateway refused. `unknown`: it may have been carried out. */
  readonly phase: "before-sending" | "unknown" | "answered";
  readonly retryable: boolean;
  /** How long the gateway asks to be left alone; null when it does not ask. */
  readonly retryAfterMs: number | null;
  /** The gateway's own words, for the people who decide and not for logs; null when it said nothing. */
  readonly gatewayText: string | null;
}

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
