/** Why a gateway call failed. The phase decides the reaction. */
export interface GatewayFailure {
  readonly code: string;
  readonly message: string;
  /** `before-sending`: no byte was sent. `responded`: the gateway refused. `unknown`: it may have been carried out. */
  readonly phase: "before-sending" | "unknown" | "responded";
  readonly retryable: boolean;
  /** The gateway's Retry-After; null if it states none. */
  readonly retryAfterMs: number | null;
  /** The gateway's own text, for people and not for logs; null if there is none. */
  readonly gatewayText: string | null;
}

/** The gateway refuses our credentials. All orders wait, and go on once the credentials are right. */
export const badCredentials = "gateway.unauthorized";

export function gatewayFailureOf(error: unknown): GatewayFailure | null {
  if (!(error instanceof Error) || !("phase" in error) || !("code" in error) || typeof error.code !== "string")
    return null;
  const { phase } = error;
  if (phase !== "before-sending" && phase !== "unknown" && phase !== "responded") return null;
  return {
    code: error.code,
    message: error.message,
    phase,
    retryable: "retryable" in error && error.retryable === true,
    retryAfterMs: "retryAfterMs" in error && typeof error.retryAfterMs === "number" ? error.retryAfterMs : null,
    gatewayText: "gatewayText" in error && typeof error.gatewayText === "string" ? error.gatewayText : null,
  };
}
