import { AppError } from "../kernel/app-error.ts";
import type { BusinessCode } from "./business-codes.ts";

/**
 * How far a failed call had come:
 * - `before-sending`: no byte was sent, so the gateway can't have acted.
 * - `unknown`: some of the request may have arrived, and the outcome is unknown.
 * - `responded`: the gateway understood the request and refused it, so nothing was done.
 */
export type GatewayPhase = "before-sending" | "unknown" | "responded";

export const gatewayErrorCodes = {
  /** The contract allows no such request; nothing was sent. */
  invalidQuery: "gateway.invalid_query",
  /** Refused connection, unknown host, no route, or TLS failure. */
  unreachable: "gateway.unreachable",
  timeout: "gateway.timeout",
  /** The connection ended after the request and before the complete response. */
  connectionLost: "gateway.connection_lost",
  /** Too many failures in a row; nothing was sent. */
  circuitOpen: "gateway.circuit_open",
  /** No slot became free in time; nothing was sent. */
  busy: "gateway.busy",
  aborted: "gateway.aborted",
  /** The token source failed, or its token fits no header; nothing was sent. */
  noToken: "gateway.no_token",
  /** HTTP 401 or 403 for the access token or the API key. All orders wait, and go on once the credentials are right. */
  unauthorized: "gateway.unauthorized",
  /** The gateway lacks this operation, by the client's settings or its response. */
  notOffered: "gateway.not_offered",
  /** The HTTP status is no success, and the body is not understood. */
  httpStatus: "gateway.http_status",
  /** A well-formed response with `Errors`. */
  refused: "gateway.refused",
  /** HTTP success, but not a response of the operation. */
  malformedResponse: "gateway.malformed_answer",
  responseTooLarge: "gateway.answer_too_large",
  /** Like `timeout` and `aborted`: `phase` says whether the request was sent. */
  closed: "gateway.client_closed",
} as const;

export type GatewayErrorCode = (typeof gatewayErrorCodes)[keyof typeof gatewayErrorCodes];

export interface GatewayErrorDetails {
  /** As this kind of gateway calls it, for people and for logs. */
  readonly operation: string;
  readonly phase: GatewayPhase;
  readonly retryable: boolean;
  readonly httpStatus?: number | null;
  readonly gatewayCode?: string | null;
  readonly gatewayText?: string | null;
  readonly businessCode?: BusinessCode | null;
  readonly retryAfterMs?: number | null;
  readonly cause?: unknown;
}

/** A call of an operation that has failed. Its message contains ids and codes, and nothing of the bodies. */
export class GatewayError extends AppError {
  declare readonly code: GatewayErrorCode;
  readonly operation: string;
  readonly phase: GatewayPhase;
  readonly httpStatus: number | null;
  /** Null unless one word of at most 40 characters, such as `26` or `INVAILD_OFFER_ID`. */
  readonly gatewayCode: string | null;
  /** The gateway's text. It may quote the booking: store it as evidence, do not log it. */
  readonly gatewayText: string | null;
  /** The entry in the gateway's table of codes; null if not in the table. */
  readonly businessCode: BusinessCode | null;
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
