import { AppError } from "../kernel/app-error.ts";

/**
 * How far a call had come when it failed. It decides what may be done next with an operation that changes something.
 *
 * - `before-sending`: no byte of the request left this machine, so the gateway cannot have acted on it.
 * - `unknown`: the request, or a part of it, may have arrived; what the gateway did with it is not known.
 * - `answered`: the gateway understood the request and refused it, so nothing was done.
 */
export type GatewayPhase = "before-sending" | "unknown" | "answered";

/** Every way in which a call can fail. */
export const gatewayErrorCodes = {
  /** No connection could be made: refused, unknown host, no route, TLS failure. */
  unreachable: "gateway.unreachable",
  /** The deadline passed: `phase` says whether the request had left. */
  timeout: "gateway.timeout",
  /** The connection ended after the request had been written and before the answer was complete. */
  connectionLost: "gateway.connection_lost",
  /** The access token or the API key was not accepted (HTTP 401 or 403). */
  unauthorized: "gateway.unauthorized",
  /** The answer's HTTP status is not a success, and its body says nothing that is understood. */
  httpStatus: "gateway.http_status",
  /** The answer is well formed and carries `Errors`. */
  refused: "gateway.refused",
  /** The answer is a success by its HTTP status, and it is not what the operation answers. */
  malformedAnswer: "gateway.malformed_answer",
  /** The answer is longer than what is read. */
  answerTooLarge: "gateway.answer_too_large",
  /** The client was closed before the call was made. */
  closed: "gateway.client_closed",
} as const;

export type GatewayErrorCode = (typeof gatewayErrorCodes)[keyof typeof gatewayErrorCodes];

/** What a `GatewayError` is made of, besides its code and message. */
export interface GatewayErrorDetails {
  /** `AirReservationStatus` and so on. */
  readonly operation: string;
  readonly phase: GatewayPhase;
  readonly retryable: boolean;
  readonly httpStatus?: number | null;
  /** The gateway's own code, such as `26` or `INVAILD_OFFER_ID`. */
  readonly gatewayCode?: string | null;
  /** The gateway's own words. They may quote the booking, so they belong in stored evidence and not in logs. */
  readonly gatewayText?: string | null;
  readonly cause?: unknown;
}

/** A call to the gateway that gave no usable result. */
export class GatewayError extends AppError {
  declare readonly code: GatewayErrorCode;
  readonly operation: string;
  readonly phase: GatewayPhase;
  readonly httpStatus: number | null;
  readonly gatewayCode: string | null;
  readonly gatewayText: string | null;

  constructor(code: GatewayErrorCode, message: string, details: GatewayErrorDetails) {
    super(code, message, { retryable: details.retryable, cause: details.cause });
    this.operation = details.operation;
    this.phase = details.phase;
    this.httpStatus = details.httpStatus ?? null;
    this.gatewayCode = details.gatewayCode ?? null;
    this.gatewayText = details.gatewayText ?? null;
  }
}
