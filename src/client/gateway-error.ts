import type { BusinessCode } from "../contract/business-codes.ts";
import type { OperationName } from "../contract/operations/operation.ts";
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
  /** The query makes no request that the contract allows, so nothing was sent. */
  invalidQuery: "gateway.invalid_query",
  /** No connection could be made: refused, unknown host, no route, TLS failure. */
  unreachable: "gateway.unreachable",
  /** The deadline passed: `phase` says whether the request had left. */
  timeout: "gateway.timeout",
  /** The connection ended after the request had been written and before the answer was complete. */
  connectionLost: "gateway.connection_lost",
  /** The gateway failed too often in a row, so it is left alone for a moment and nothing was sent. */
  circuitOpen: "gateway.circuit_open",
  /** As many calls as are allowed are under way, and no place became free in time, so nothing was sent. */
  busy: "gateway.busy",
  /** The caller's signal ended the call: `phase` says whether the request had left. */
  aborted: "gateway.aborted",
  /** The token source gave no access token, or there is one that no header can carry, so nothing was sent. */
  noToken: "gateway.no_token",
  /** The access token or the API key was not accepted (HTTP 401 or 403). */
  unauthorized: "gateway.unauthorized",
  /** The gateway is without this operation: by the settings of the client, or by its answer. */
  notOffered: "gateway.not_offered",
  /** The answer's HTTP status is not a success, and its body says nothing that is understood. */
  httpStatus: "gateway.http_status",
  /** The answer is well formed and carries `Errors`. */
  refused: "gateway.refused",
  /** The answer is a success by its HTTP status, and it is not what the operation answers. */
  malformedAnswer: "gateway.malformed_answer",
  /** The answer is longer than what is read. */
  answerTooLarge: "gateway.answer_too_large",
  /** The client was closed: `phase` says whether the request had left. */
  closed: "gateway.client_closed",
} as const;

export type GatewayErrorCode = (typeof gatewayErrorCodes)[keyof typeof gatewayErrorCodes];

/** What a `GatewayError` is made of, besides its code and message. */
export interface GatewayErrorDetails {
  readonly operation: OperationName;
  readonly phase: GatewayPhase;
  readonly retryable: boolean;
  readonly httpStatus?: number | null;
  readonly gatewayCode?: string | null;
  readonly gatewayText?: string | null;
  readonly businessCode?: BusinessCode | null;
  readonly retryAfterMs?: number | null;
  readonly cause?: unknown;
}

/** A call to the gateway that gave no usable result. Its message holds ids and codes, and nothing of the bodies. */
export class GatewayError extends AppError {
  declare readonly code: GatewayErrorCode;
  /** `AirReservationStatus` and so on. */
  readonly operation: OperationName;
  readonly phase: GatewayPhase;
  /** Of the answer; null when there was none. */
  readonly httpStatus: number | null;
  /** The gateway's own code, such as `26` or `INVAILD_OFFER_ID`: one word of at most 40 characters, else null. */
  readonly gatewayCode: string | null;
  /** The gateway's own words. They may quote the booking, so they belong in stored evidence and not in logs. */
  readonly gatewayText: string | null;
  /** The entry of the gateway's table of codes, with what it means and what to do; null for what is not in the table. */
  readonly businessCode: BusinessCode | null;
  /** How long the answer asks to be left alone; null when it does not ask. */
  readonly retryAfterMs: number | null;

  constructor(code: GatewayErrorCode, message: string, details: GatewayErrorDetails) {
    super(code, message, { retryable: details.retryable, cause: details.cause });
    this.operation = details.operation;
    this.phase = details.phase;
    this.httpStatus = details.httpStatus ?? null;
    this.gatewayCode = details.gatewayCode ?? null;
    this.gatewayText = details.gatewayText ?? null;
    this.businessCode = details.businessCode ?? null;
    this.retryAfterMs = details.retryAfterMs ?? null;
  }
}
