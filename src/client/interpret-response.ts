import { GatewayError, gatewayErrorCodes } from "../contract/failed-call.ts";
import { businessCodeOf, readErrors } from "../contract/gateway-errors.ts";
import { parseStatements } from "../contract/json.ts";
import { memberAt } from "../contract/lenient-value.ts";
import type { GatewayErrorText, Operation } from "../contract/operations/operation.ts";
import { assertNever } from "../kernel/app-error.ts";
import { readRetryAfterMs } from "../kernel/retry-after.ts";
import type { TransportResponse } from "./transport.ts";

export type InterpretableOperation<Result> = Pick<
  Operation<unknown, Result>,
  "name" | "responseRoot" | "optionalService" | "interpret"
>;

const serverError = 10;

/**
 * Judges by HTTP status first: only 2xx has a result, 4xx means refused whatever the body, and anything else is
 * unknown.
 * @param now for dates in `Retry-After`
 * @throws GatewayError
 */
export function interpretResponse<Result>(
  operation: InterpretableOperation<Result>,
  response: TransportResponse,
  now: Date,
): { readonly result: Result; readonly wire: unknown } {
  const parsed = parseStatements(response.body);
  const wire = parsed.ok ? parsed.value : undefined;
  if (response.status < 200 || response.status > 299) throw statusError(operation, response, wire, now);
  if (wire === undefined) throw malformedResponse(operation, response.status, "it is not JSON.");
  const interpretation = operation.interpret(wire);
  if (interpretation.ok) return { result: interpretation.result, wire };
  const { problem } = interpretation;
  switch (problem.code) {
    case "gateway.rejected":
      throw refusal(operation, response.status, problem.errors);
    case "gateway.unusable_answer":
      throw malformedResponse(operation, response.status, `at '${problem.path}': ${problem.message}`);
    default:
      return assertNever(problem.code);
  }
}

function statusError(
  operation: InterpretableOperation<unknown>,
  response: TransportResponse,
  wire: unknown,
  now: Date,
): GatewayError {
  const { name } = operation;
  const httpStatus = response.status;
  const gateway = firstError(wire === undefined ? [] : readErrors(wire, operation.responseRoot));
  const responded = { operation: name, phase: "responded", retryable: false, httpStatus, ...gateway } as const;
  if (httpStatus === 401 || httpStatus === 403) {
    const message = `${name} was refused with HTTP ${httpStatus}. Check the access token and the API key.`;
    return new GatewayError(gatewayErrorCodes.unauthorized, message, responded);
  }
  if (operation.optionalService && isMissing(httpStatus) && memberAt(wire, operation.responseRoot) === undefined) {
    const message = `This gateway does not offer ${name} (HTTP ${httpStatus}). It is an optional service.`;
    return new GatewayError(gatewayErrorCodes.notOffered, message, responded);
  }
  const isServerError = gateway.businessCode?.number === serverError;
  const isClientError = httpStatus >= 400 && httpStatus <= 499;
  // A server or proxy that timed out (408) may have forwarded part of the request.
  const isRefusal = isClientError && httpStatus !== 408 && !isServerError;
  const isTemporary =
    httpStatus >= 500 || httpStatus === 408 || httpStatus === 425 || httpStatus === 429 || isServerError;
  const code = isClientError && gateway.gatewayText !== null ? gatewayErrorCodes.refused : gatewayErrorCodes.httpStatus;
  return new GatewayError(code, `${name} failed with HTTP ${httpStatus}${codeIn(gateway)}.`, {
    ...responded,
    phase: isRefusal ? "responded" : "unknown",
    retryable: isTemporary,
    retryAfterMs: readRetryAfterMs(response.retryAfter, now),
  });
}

/** A missing object is also a 404, but under the operation's own root. */
function isMissing(httpStatus: number): boolean {
  return httpStatus === 404 || httpStatus === 501;
}

/** Errors in a 2xx response mean refused, except SERVER_ERROR: an airline may have acted and responded too late. */
function refusal(
  operation: InterpretableOperation<unknown>,
  httpStatus: number,
  errors: readonly GatewayErrorText[],
): GatewayError {
  const gateway = firstError(errors);
  const isServerError = errors.some((error) => businessCodeOf(error)?.number === serverError);
  return new GatewayError(gatewayErrorCodes.refused, `The gateway refused ${operation.name}${codeIn(gateway)}.`, {
    operation: operation.name,
    phase: isServerError ? "unknown" : "responded",
    retryable: isServerError,
    httpStatus,
    ...gateway,
  });
}

function malformedResponse(
  operation: InterpretableOperation<unknown>,
  httpStatus: number,
  because: string,
): GatewayError {
  return new GatewayError(
    gatewayErrorCodes.malformedResponse,
    `The response of ${operation.name} (HTTP ${httpStatus}) cannot be used: ${because}`,
    { operation: operation.name, phase: "unknown", retryable: true, httpStatus },
  );
}

type ReportedError = Pick<GatewayError, "gatewayCode" | "gatewayText" | "businessCode">;

function firstError([first]: readonly GatewayErrorText[]): ReportedError {
  if (first === undefined) return { gatewayCode: null, gatewayText: null, businessCode: null };
  const gatewayCode = first.code !== null && codeGrammar.test(first.code) ? first.code : null;
  return { gatewayCode, gatewayText: first.text, businessCode: businessCodeOf(first) };
}

/** Codes go into messages and logs; anything longer or with blanks may quote the booking. */
const codeGrammar = /^[\w.-]{1,40}$/;

/** Only the code goes into messages: the gateway's words may quote the booking. */
function codeIn({ gatewayCode, businessCode }: ReportedError): string {
  const code = gatewayCode ?? businessCode?.names[0] ?? null;
  return code === null ? "" : ` (code ${code})`;
}
