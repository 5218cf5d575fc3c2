import express, { type ErrorRequestHandler, type Request, type Response, type Router } from "express";
import { errorResponse } from "../contract/gateway-errors.ts";
import { parseJson } from "../contract/json.ts";
import { listOf, member, textOf } from "../contract/lenient-value.ts";
import type { RequestProblem } from "../contract/operations/operation.ts";
import { findStrictProblem } from "../contract/operations/strict-request.ts";
import { respell, type Spelling } from "../contract/other-spellings.ts";
import { unreadableStatus } from "../http/unreadable-status.ts";
import { codeOf, messageOf } from "../kernel/app-error.ts";
import { isRecord } from "../kernel/record.ts";
import type { Logger } from "../telemetry/logger.ts";
import { during, type Span, type Tracer, traceparentIn } from "../telemetry/tracing.ts";
import { applyFault, delay, isCarriedOut } from "./apply-fault.ts";
import { type GatewayCredentials, refuseCredentials } from "./credentials.ts";
import { responseHead } from "./extras/extras-response.ts";
import type { FaultInjector } from "./fault-injector.ts";
import { type GatewayOperation, type OperationCall, type OperationContext, OperationRefusal } from "./operation.ts";
import type { JournalEntry, ServiceSwitches } from "./ports.ts";
import { handlingOf } from "./prefer-header.ts";

export interface OperationRouterOptions extends OperationContext {
  readonly credentials: GatewayCredentials;
  readonly operations: readonly GatewayOperation[];
  readonly faultInjector: FaultInjector;
  readonly services: ServiceSwitches;
  /** Whether requests must have the exact form of the contract, if they do not say by `Prefer` what they prefer. */
  readonly strict: boolean;
  readonly logger: Logger;
  readonly tracer: Tracer;
}

/** In bytes: a query of one order is below 1 KiB. */
const requestBytesMax = 256 * 1024;

/**
 * Serves `POST /<operation>`. Errors have the gateway's own shape and documented HTTP status: 400, 401, 404, 405, 413,
 * 415 or 500.
 * A switched-off optional service responds like an unknown operation, after the credentials were checked. Calls with
 * wrong credentials are not in the journal, because anybody could fill it.
 */
export function createOperationRouter(options: OperationRouterOptions): Router {
  const router = express.Router({ caseSensitive: true });
  // Whatever the Content-Type: some callers send none.
  const readBody = express.raw({ type: () => true, limit: requestBytesMax });
  for (const operation of options.operations) {
    router.post(
      operation.contract.path,
      (request, response, next) => {
        const refusal = refuseCredentials(options.credentials, request.headers);
        // No registered scheme is true of a bare token, and RFC 9110 wants a challenge.
        if (refusal !== null) response.set("WWW-Authenticate", 'AccessToken realm="gateway"');
        next(refusal === null ? undefined : unauthorized(refusal));
      },
      async (_request, _response, next) => {
        const { name, optionalService } = operation.contract;
        const isOff = optionalService && (await options.services.readSwitchedOff()).includes(name);
        next(isOff ? "route" : undefined);
      },
      readBody,
      (request, response) => {
        const span = startSpan(options.tracer, operation, request);
        return during(span, () => respondToCall(options, operation, request, response));
      },
    );
    router.all(operation.contract.path, (request, response, next) => {
      if (request.method === "POST") {
        next();
        return;
      }
      response.set("Allow", "POST");
      const message = `${operation.contract.name} has no ${request.method}: send POST.`;
      next(new OperationRefusal("gateway.method_not_allowed", message, { httpStatus: 405, gatewayCode: "405" }));
    });
  }
  router.use((request, response) => {
    const message = `There is no operation ${request.method} ${request.path.slice(0, 80)}.`;
    response.status(404).json(errorBody(request, null, "404", message));
  });
  router.use(handleError(options));
  return router;
}

function unauthorized(message: string): OperationRefusal {
  return new OperationRefusal("gateway.unauthorized", message, { httpStatus: 401, gatewayCode: "401" });
}

/** Goes on in the trace of the caller, whose credentials were right. */
function startSpan(tracer: Tracer, { contract }: GatewayOperation, { headers }: Request): Span {
  return tracer.start(`POST ${contract.path}`, {
    kind: "server",
    parent: traceparentIn(headers),
    attributes: { "http.request.method": "POST", "http.route": contract.path },
  });
}

async function respondToCall(
  options: OperationRouterOptions,
  operation: GatewayOperation,
  request: Request,
  response: Response,
): Promise<void> {
  const { name } = operation.contract;
  let call: OperationCall<unknown> | null = null;
  try {
    call = readCall(operation, request, isStrict(options, request, response));
    const { orderId } = subjectOf(call);
    const fault = await options.faultInjector.takeTransport(operation, options, call);
    // For an error that the operation throws.
    if (fault?.mode === "respelled") response.locals["spelling"] = fault.spelling;
    if (fault?.mode === "delay" && !fault.afterEffect) await delay(response, fault.delayMs);
    const body = isCarriedOut(fault) ? await options.faultInjector.carryOut(operation, options, call) : undefined;
    options.logger.info({ operation: name, orderId, fault: fault?.mode ?? null }, "gateway.operation_answered");
    if (fault === null) {
      response.json(body);
      return;
    }
    const { contract } = operation;
    await applyFault(response, fault, { body, contract, serverError: serverError(request, operation) });
  } catch (error) {
    if (error instanceof OperationRefusal) await recordRefusal(options, operation, call, error);
    throw error;
  }
}

/** The preference of the request counts, else the setting. */
function isStrict(options: OperationRouterOptions, request: Request, response: Response): boolean {
  const handling = handlingOf(request.get("Prefer"));
  if (handling !== null) response.set("Preference-Applied", `handling=${handling}`);
  return handling === null ? options.strict : handling === "strict";
}

/** @throws OperationRefusal if the body is no request of this operation */
function readCall({ contract }: GatewayOperation, request: Request, strict: boolean): OperationCall<unknown> {
  const body: unknown = request.body;
  const parsed = Buffer.isBuffer(body) ? parseJson(body) : { ok: false as const };
  if (!parsed.ok) {
    const message = "The request body is not JSON.";
    throw new OperationRefusal("gateway.malformed_request", message, { httpStatus: 400, gatewayCode: "400" });
  }
  const read = contract.readRequest(parsed.value);
  if (!read.ok) throw malformed(read.problem, strict);
  if (strict && Buffer.isBuffer(body)) {
    const sent = { path: request.path, contentType: request.get("Content-Type"), body };
    const problem = findStrictProblem(contract, sent);
    if (problem !== null) throw malformed(problem, strict);
  }
  const party = member(member(parsed.value, contract.requestRoot), "Party");
  return { query: read.query, party: isRecord(party) ? party : undefined };
}

/** In strict mode, the text begins with the path to what is wrong. */
function malformed({ code, businessCode, path, message }: RequestProblem, strict: boolean): OperationRefusal {
  const text = strict && path !== "" ? `${path}: ${message}` : message;
  return new OperationRefusal(code, text, { httpStatus: 400, gatewayCode: String(businessCode) });
}

async function recordRefusal(
  options: OperationRouterOptions,
  operation: GatewayOperation,
  call: OperationCall<unknown> | null,
  refusal: OperationRefusal,
): Promise<void> {
  await options.store.recordCall({
    operation: operation.contract.name,
    ...subjectOf(call),
    result: "ERROR",
    errorCode: refusal.code,
    changeId: null,
    orderVersion: null,
    at: options.clock.now(),
  });
}

/** Calls about offers name no order. */
function subjectOf(call: OperationCall<unknown> | null): Pick<JournalEntry, "orderId" | "gdsBookingReferences"> {
  const references = listOf(member(call?.query, "gdsBookingReferences")).map(textOf);
  return {
    orderId: textOf(member(call?.query, "orderId")),
    gdsBookingReferences: references.filter((reference) => reference !== null),
  };
}

function handleError(options: OperationRouterOptions): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    const path = request.path.replace(/\/$/, "");
    const operation = options.operations.find(({ contract }) => path === contract.path) ?? null;
    if (error instanceof OperationRefusal) {
      const body = errorBody(request, operation, error.gatewayCode, error.message);
      const { spelling } = response.locals as { readonly spelling?: Spelling };
      const isAsUsual = spelling === undefined || operation === null;
      response.status(error.httpStatus).json(isAsUsual ? body : respell(body, spelling, operation.contract));
      return;
    }
    const status = unreadableStatus(error);
    if (status !== null) {
      const text =
        status === 413 ? `The request is longer than ${requestBytesMax} bytes.` : "The request cannot be read.";
      response.status(status).json(errorBody(request, operation, String(status), text));
      return;
    }
    options.logger.error(
      { path: request.path, code: codeOf(error), error: messageOf(error) },
      "gateway.operation_failed",
    );
    response.status(500).json(serverError(request, operation));
  };
}

/** 10 is SERVER_ERROR in the gateway's table. */
function serverError(request: Request, operation: GatewayOperation | null) {
  return errorBody(request, operation, "10", "SERVER_ERROR");
}

/** Under the operation's root, with the `Party` of a body that was read; bare for an unknown operation. */
function errorBody(request: Request, operation: GatewayOperation | null, code: string, text: string) {
  if (operation === null) return { Errors: { Error: { Code: code, Value: text, ShortText: text } } };
  const { requestRoot, responseRoot, responseVersion } = operation.contract;
  const body: unknown = request.body;
  const parsed = Buffer.isBuffer(body) ? parseJson(body) : { ok: false as const };
  const party = parsed.ok ? member(member(parsed.value, requestRoot), "Party") : undefined;
  return errorResponse(responseRoot, { code, text }, responseHead(party, responseVersion));
}
