import { errors } from "undici";
import { GatewayError, gatewayErrorCodes } from "../contract/failed-call.ts";
import type { OperationName } from "../contract/operations/operation.ts";
import { codeOf } from "../kernel/app-error.ts";
import { responseBytesMax } from "./decode-body.ts";

type EndedIn = "before-sending" | "unknown";

export function unreachable(operation: OperationName, cause: unknown): GatewayError {
  return new GatewayError(
    gatewayErrorCodes.unreachable,
    `${operation} was not sent: no connection to the gateway (${codeOf(cause)}). Check the base URL and the network.`,
    { operation, phase: "before-sending", retryable: true, cause },
  );
}

export function connectionLost(operation: OperationName, cause: unknown): GatewayError {
  return new GatewayError(
    gatewayErrorCodes.connectionLost,
    `The connection ended before ${operation} got a response (${codeOf(cause)}). Whether the gateway acted on it is unknown.`,
    { operation, phase: "unknown", retryable: true, cause: withoutResponse(cause) },
  );
}

/** The parser's error contains bytes of the response. */
function withoutResponse(cause: unknown): unknown {
  return cause instanceof errors.HTTPParserError ? new Error(cause.message) : cause;
}

export function timedOut(operation: OperationName, timeoutMs: number, phase: EndedIn): GatewayError {
  const message =
    phase === "before-sending"
      ? `${operation} was not sent: no connection to the gateway within ${timeoutMs} ms.`
      : `${operation} got no response within ${timeoutMs} ms. Whether the gateway acted on it is unknown.`;
  return new GatewayError(gatewayErrorCodes.timeout, message, { operation, phase, retryable: true });
}

export function aborted(operation: OperationName, phase: EndedIn): GatewayError {
  const message =
    phase === "before-sending"
      ? `${operation} was not sent: its caller ended the call.`
      : `${operation} was ended by its caller before it got a response. Whether the gateway acted on it is unknown.`;
  return new GatewayError(gatewayErrorCodes.aborted, message, { operation, phase, retryable: true });
}

export function closed(operation: OperationName, phase: EndedIn): GatewayError {
  return new GatewayError(gatewayErrorCodes.closed, `${operation} was ended: the gateway client is being closed.`, {
    operation,
    phase,
    retryable: true,
  });
}

export function tooLarge(operation: OperationName, httpStatus: number): GatewayError {
  return new GatewayError(
    gatewayErrorCodes.responseTooLarge,
    `The response of ${operation} is longer than ${responseBytesMax} bytes and was not read.`,
    { operation, phase: "unknown", retryable: false, httpStatus },
  );
}

export function undecodable(
  operation: OperationName,
  httpStatus: number,
  reason: "too-large" | "corrupt" | "unknown-encoding",
  cause: unknown,
): GatewayError {
  if (reason === "too-large") return tooLarge(operation, httpStatus);
  const what = reason === "corrupt" ? "does not inflate" : "has a Content-Encoding other than gzip, deflate and br";
  return new GatewayError(gatewayErrorCodes.malformedResponse, `The response of ${operation} ${what}.`, {
    operation,
    phase: "unknown",
    retryable: true,
    httpStatus,
    cause,
  });
}
