import type { Envelope } from "../contract/envelope.ts";
import { readErrors } from "../contract/gateway-errors.ts";
import type { InvoluntaryResult } from "../contract/involuntary-result.ts";
import { parseJson } from "../contract/json.ts";
import { airOrderInvoluntaryAccept } from "../contract/operations/air-order-involuntary-accept.ts";
import { airOrderInvoluntaryCancel } from "../contract/operations/air-order-involuntary-cancel.ts";
import { airReservationStatus } from "../contract/operations/air-reservation-status.ts";
import type { GatewayErrorText, Operation, OrderQuery } from "../contract/operations/operation.ts";
import type { OrderView } from "../contract/order-view.ts";
import { assertNever } from "../kernel/app-error.ts";
import { type Clock, systemClock } from "../kernel/clock.ts";
import { type Logger, silentLogger } from "../telemetry/logger.ts";
import { GatewayError, gatewayErrorCodes } from "./gateway-error.ts";
import { type Answer, createTransport, type TransportOptions } from "./transport.ts";

/** How to call one gateway, and in whose name. */
export interface GatewayClientOptions extends TransportOptions {
  /** What `Document` and `Party` of each request say. */
  readonly envelope?: Envelope;
  readonly clock?: Clock;
  readonly logger?: Logger;
}

/**
 * The gateway's operations as calls. Every one rejects with a `GatewayError`, whose `phase` says whether the gateway can
 * have acted. Nothing is ever sent again from here: whether that is right is the caller's knowledge.
 */
export interface GatewayClient {
  /** The reservation as the gateway has it now, possibly from a cache of its own. */
  readReservationStatus(query: OrderQuery): Promise<ReservationStatus>;
  /** Accepts whatever change is pending on the order when the request arrives. */
  acceptInvoluntaryChange(query: OrderQuery): Promise<InvoluntaryAnswer>;
  /** Cancels the order because of a change, with its refund. It cannot be undone. */
  cancelInvoluntarily(query: OrderQuery): Promise<InvoluntaryAnswer>;
  /** Ends running calls and closes the connections. */
  close(): Promise<void>;
}

export interface ReservationStatus {
  readonly view: OrderView;
  /** The answer after inflating, byte for byte: the evidence that decisions rest on. */
  readonly body: Buffer;
  /** When the last byte of the answer was there. */
  readonly readAt: Date;
}

export interface InvoluntaryAnswer {
  /** One or more booking references each. SUCCESS and FAILED may be mixed. */
  readonly results: readonly InvoluntaryResult[];
  readonly body: Buffer;
}

const defaultEnvelope: Envelope = {
  documentName: "Skedchange",
  agencyName: "Skedchange",
  iataNumber: "",
  agencyId: "",
  contactEmails: [],
};

/**
 * @example
 * const client = createGatewayClient({ baseUrl, accessToken, apiKey, timeoutMs: 30_000 });
 * const { view } = await client.readReservationStatus({ orderId: "QX7R2M1A", gdsBookingReferences: ["LHSKD1"] });
 */
export function createGatewayClient(options: GatewayClientOptions): GatewayClient {
  const transport = createTransport(options);
  const envelope = options.envelope ?? defaultEnvelope;
  const clock = options.clock ?? systemClock;
  const logger = options.logger ?? silentLogger;

  const call = async <Result>(
    operation: Operation<OrderQuery, Result>,
    query: OrderQuery,
  ): Promise<{ result: Result; body: Buffer }> => {
    const startedAt = clock.now();
    const ids = { operation: operation.name, orderId: query.orderId };
    try {
      const body = Buffer.from(JSON.stringify(operation.request(query, envelope)));
      const answer = await transport.send({ operation: operation.name, body, changesSomething: !operation.readOnly });
      const result = interpretAnswer(operation, answer);
      logger.info({ ...ids, durationMs: clock.now().getTime() - startedAt.getTime() }, "gateway.called");
      return { result, body: answer.body };
    } catch (error) {
      const failure = error instanceof GatewayError ? { code: error.code, phase: error.phase } : {};
      const status =
        error instanceof GatewayError ? { httpStatus: error.httpStatus, gatewayCode: error.gatewayCode } : {};
      const durationMs = clock.now().getTime() - startedAt.getTime();
      logger.warn({ ...ids, durationMs, ...failure, ...status }, "gateway.call_failed");
      throw error;
    }
  };

  return {
    async readReservationStatus(query) {
      const { result, body } = await call(airReservationStatus, query);
      return { view: result, body, readAt: clock.now() };
    },
    async acceptInvoluntaryChange(query) {
      const { result, body } = await call(airOrderInvoluntaryAccept, query);
      return { results: result, body };
    },
    async cancelInvoluntarily(query) {
      const { result, body } = await call(airOrderInvoluntaryCancel, query);
      return { results: result, body };
    },
    close: () => transport.close(),
  };
}

/**
 * What an answer means, by its HTTP status first: a result counts only in a 2xx answer. A 4xx answer says that the
 * gateway refused the request, whatever its body; any other answer leaves open what the gateway did.
 *
 * @throws GatewayError
 */
export function interpretAnswer<Result>(operation: Operation<OrderQuery, Result>, answer: Answer): Result {
  const parsed = parseJson(answer.body);
  const json = parsed.ok ? parsed.value : undefined;
  if (answer.status < 200 || answer.status > 299) throw statusError(operation, answer.status, json);
  if (json === undefined) throw malformedAnswer(operation, answer.status, "it is not JSON");
  const interpretation = operation.interpret(json);
  if (interpretation.ok) return interpretation.answer;
  const { problem } = interpretation;
  switch (problem.code) {
    case "gateway.rejected":
      throw refusal(operation, answer.status, problem.errors);
    case "gateway.unusable_answer":
      throw malformedAnswer(operation, answer.status, `at '${problem.path}': ${problem.message}`);
    default:
      return assertNever(problem.code);
  }
}

function statusError(
  operation: { readonly name: string; readonly responseRoot: string },
  httpStatus: number,
  json: unknown,
): GatewayError {
  const gateway = firstError(json === undefined ? [] : readErrors(json, operation.responseRoot));
  if (httpStatus === 401 || httpStatus === 403) {
    const message = `${operation.name} was refused with HTTP ${httpStatus}. Check GATEWAY_ACCESS_TOKEN and GATEWAY_API_KEY.`;
    const details = { operation: operation.name, phase: "answered", retryable: false, httpStatus, ...gateway } as const;
    return new GatewayError(gatewayErrorCodes.unauthorized, message, details);
  }
  const isRefusal = httpStatus >= 400 && httpStatus <= 499;
  const isPassing = httpStatus >= 500 || httpStatus === 408 || httpStatus === 425 || httpStatus === 429;
  const code = isRefusal && gateway.gatewayText !== null ? gatewayErrorCodes.refused : gatewayErrorCodes.httpStatus;
  const message = `${operation.name} was answered with HTTP ${httpStatus}${codeIn(gateway)}.`;
  return new GatewayError(code, message, {
    operation: operation.name,
    phase: isRefusal ? "answered" : "unknown",
    retryable: isPassing,
    httpStatus,
    ...gateway,
  });
}

/**
 * Errors in a successful answer are a refusal, except the gateway's own failure: it can come from an airline that did
 * what it was asked and answered too late.
 */
function refusal(
  operation: { readonly name: string },
  httpStatus: number,
  errors: readonly GatewayErrorText[],
): GatewayError {
  const gateway = firstError(errors);
  const isServerError = errors.some((error) => error.code === "10" || error.text.toUpperCase() === "SERVER_ERROR");
  return new GatewayError(gatewayErrorCodes.refused, `The gateway refused ${operation.name}${codeIn(gateway)}.`, {
    operation: operation.name,
    phase: isServerError ? "unknown" : "answered",
    retryable: isServerError,
    httpStatus,
    ...gateway,
  });
}

function malformedAnswer(operation: { readonly name: string }, httpStatus: number, because: string): GatewayError {
  return new GatewayError(
    gatewayErrorCodes.malformedAnswer,
    `The answer of ${operation.name} (HTTP ${httpStatus}) cannot be used: ${because}`,
    { operation: operation.name, phase: "unknown", retryable: true, httpStatus },
  );
}

function firstError(errors: readonly GatewayErrorText[]): { gatewayCode: string | null; gatewayText: string | null } {
  return { gatewayCode: errors[0]?.code ?? null, gatewayText: errors[0]?.text ?? null };
}

/** Only the code goes into messages: the gateway's words may quote the booking. */
function codeIn(gateway: { readonly gatewayCode: string | null }): string {
  return gateway.gatewayCode === null ? "" : ` (code ${gateway.gatewayCode.slice(0, 40)})`;
}
