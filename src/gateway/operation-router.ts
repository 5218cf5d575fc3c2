import express, { type ErrorRequestHandler, type Request, type Response, type Router } from "express";
import { errorAnswer } from "../contract/gateway-errors.ts";
import { parseJson } from "../contract/json.ts";
import { isRecord, member } from "../contract/lenient-value.ts";
import { readOrderRequest } from "../contract/operations/order-request.ts";
import { assertNever, codeOf, messageOf } from "../kernel/app-error.ts";
import type { Logger } from "../telemetry/logger.ts";
import { bodyErrorStatus } from "./body-error.ts";
import { type GatewayCredentials, refuseCredentials } from "./credentials.ts";
import { delay, type Fault, type Faults } from "./faults.ts";
import { type GatewayOperation, type OperationCall, type OperationContext, OperationRefusal } from "./operation.ts";

export interface OperationRouterOptions extends OperationContext {
  readonly credentials: GatewayCredentials;
  readonly operations: readonly GatewayOperation[];
  readonly faults: Faults;
  readonly logger: Logger;
}

/** Longest request in bytes: a query of one order with its envelope is below 1 KiB. */
const requestBytesMax = 256 * 1024;

/**
 * The operations as `POST /<operation>`: credentials, form, then the operation. What goes wrong is answered in the
 * gateway's own error shape, with the HTTP status of its documentation: 400, 401, 404, 413 or 500.
 *
 * A call without the right credentials is not written into the journal, because nobody is known who could have made it
 * and anybody could fill it.
 */
export function createOperationRouter(options: OperationRouterOptions): Router {
  const router = express.Router({ caseSensitive: true });
  // Whatever the Content-Type says: some callers of the family send none.
  const readBody = express.raw({ type: () => true, limit: requestBytesMax });
  for (const operation of options.operations) {
    router.post(
      `/${operation.name}`,
      (request, _response, next) => {
        const refusal = refuseCredentials(options.credentials, request.headers);
        next(refusal === null ? undefined : new OperationRefusal("gateway.unauthorized", 401, "401", refusal));
      },
      readBody,
      (request, response) => answerCall(options, operation, request, response),
    );
  }
  router.use((request, response) => {
    const message = `There is no operation ${request.method} ${request.path.slice(0, 80)}.`;
    response.status(404).json(errorBody(null, "404", message));
  });
  router.use(answerError(options));
  return router;
}

async function answerCall(
  options: OperationRouterOptions,
  operation: GatewayOperation,
  request: Request,
  response: Response,
): Promise<void> {
  let call: OperationCall | null = null;
  try {
    call = readCall(operation, request.body);
    const fault = options.faults.take(operation.name, call.query.orderId);
    if (fault?.mode === "delay" && !fault.afterEffect) await delay(response, fault.delayMs);
    const isCarriedOut = fault === null || fault.mode === "delay" || fault.afterEffect;
    const body = isCarriedOut ? await operation.carryOut(options, call) : undefined;
    const ids = { operation: operation.name, orderId: call.query.orderId };
    options.logger.info({ ...ids, fault: fault?.mode ?? null }, "gateway.operation_answered");
    if (fault === null) response.json(body);
    else await showFault(response, operation, fault, body);
  } catch (error) {
    if (error instanceof OperationRefusal) await recordRefusal(options, operation, call, error);
    throw error;
  }
}

/** @throws OperationRefusal when the body is no request of this operation */
function readCall(operation: GatewayOperation, body: unknown): OperationCall {
  const parsed = Buffer.isBuffer(body) ? parseJson(body) : { ok: false as const };
  if (!parsed.ok) throw new OperationRefusal("gateway.malformed_request", 400, "400", "The request body is not JSON.");
  const read = readOrderRequest(operation.requestRoot, parsed.value);
  // 29 is INVALID_BOOKING_INPUT in the gateway's table of business codes.
  if (!read.ok) throw new OperationRefusal(read.problem.code, 400, "29", read.problem.message);
  const party = member(member(parsed.value, operation.requestRoot), "Party");
  return { query: read.query, party: isRecord(party) ? party : undefined };
}

async function recordRefusal(
  options: OperationRouterOptions,
  operation: GatewayOperation,
  call: OperationCall | null,
  refusal: OperationRefusal,
): Promise<void> {
  await options.store.recordCall({
    operation: operation.name,
    orderId: call?.query.orderId ?? null,
    gdsBookingReferences: call?.query.gdsBookingReferences ?? [],
    result: "ERROR",
    errorCode: refusal.code,
    changeId: null,
    orderVersion: null,
    at: options.clock.now(),
  });
}

async function showFault(response: Response, operation: GatewayOperation, fault: Fault, body: unknown): Promise<void> {
  switch (fault.mode) {
    case "delay":
      if (fault.afterEffect) await delay(response, fault.delayMs);
      if (!response.destroyed) response.json(body);
      return;
    case "http-500":
      response.status(500).json(serverError(operation.responseRoot));
      return;
    case "malformed":
      response.type("application/json").send(`{"${operation.responseRoot}":{"Document":{"Name":`);
      return;
    case "reset":
      response.socket?.resetAndDestroy();
      return;
    case "timeout":
      return;
    default:
      assertNever(fault.mode);
  }
}

function answerError(options: OperationRouterOptions): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    const root = options.operations.find(({ name }) => request.path === `/${name}`)?.responseRoot ?? null;
    if (error instanceof OperationRefusal) {
      response.status(error.httpStatus).json(errorBody(root, error.gatewayCode, error.message));
      return;
    }
    const status = bodyErrorStatus(error);
    if (status !== null) {
      const text =
        status === 413 ? `The request is longer than ${requestBytesMax} bytes.` : "The request cannot be read.";
      response.status(status).json(errorBody(root, String(status), text));
      return;
    }
    options.logger.error(
      { path: request.path, code: codeOf(error), error: messageOf(error) },
      "gateway.operation_failed",
    );
    response.status(500).json(serverError(root));
  };
}

/** 10 is SERVER_ERROR in the gateway's table of business codes. */
function serverError(root: string | null) {
  return errorBody(root, "10", "SERVER_ERROR");
}

/** The error under the operation's root, or bare where no operation is known. */
function errorBody(root: string | null, code: string, text: string) {
  if (root !== null) return errorAnswer(root, { code, text });
  return { Errors: { Error: { Code: code, Value: text, ShortText: text } } };
}
