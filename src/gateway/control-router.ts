import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Router } from "express";
import { z } from "zod";
import { parseJson } from "../contract/json.ts";
import { isRecord } from "../contract/lenient-value.ts";
import { AppError, codeOf, messageOf } from "../kernel/app-error.ts";
import { type Problem, writeProblem } from "../kernel/problem-document.ts";
import type { Logger } from "../telemetry/logger.ts";
import { bodyErrorStatus } from "./body-error.ts";
import { changeRequestSchema } from "./change-request.ts";
import { type Faults, faultSchema } from "./faults.ts";
import { unusableOrderView } from "./load-order-view.ts";
import { type OrderActions, orderExists, orderNotFoundCode } from "./order-actions.ts";
import { orderRequestSchema } from "./order-request.ts";
import { statusBody } from "./order-view-body.ts";
import type { GatewayOrder, GatewayStore } from "./ports.ts";
import { changeErrorCodes } from "./propose-change.ts";

export interface ControlRouterOptions {
  readonly store: GatewayStore;
  readonly actions: OrderActions;
  readonly faults: Faults;
  /** Whether a bearer token is the one of the control routes, in a time that tells nothing. */
  readonly verifyToken: (token: string) => Promise<boolean>;
  readonly logger: Logger;
}

/** Longest request in bytes: an order view of many passengers fits several times. */
const requestBytesMax = 2 * 1024 * 1024;
const pageSize = { usual: 50, max: 500 } as const;

/**
 * What the interface document does not show and a gateway needs nevertheless: how orders come to be and change.
 * Mounted at `/control`; every request needs `Authorization: Bearer <token>`. A request that no route here answers is
 * passed on, authenticated, to whatever is mounted behind.
 *
 * | route | |
 * |---|---|
 * | `POST /orders` | makes an order (`order-request.ts`), or takes over `{orderView}`: 201 and the order |
 * | `GET /orders?cursor=&limit=` | `{items, nextCursor}`, by order id |
 * | `GET /orders/:orderId` | the order with its view |
 * | `POST /orders/:orderId/changes` | causes a change (`change-request.ts`): 201 `{changeId, state, deliveries, …}` |
 * | `GET /journal?orderId=&limit=` | `{items}`: the newest calls of operations, oldest first |
 * | `POST /faults`, `GET /faults`, `DELETE /faults` | misbehaviour of this process, for tests |
 */
export function createControlRouter(options: ControlRouterOptions): Router {
  const { store, actions, faults, logger } = options;
  const router = express.Router();
  const readBody = express.raw({ type: () => true, limit: requestBytesMax });
  router.use(authenticate(options));

  router.post("/orders", readBody, async (request, response) => {
    const body = readJson(request);
    const order =
      isRecord(body) && "orderView" in body
        ? await actions.loadOrder(readInput(orderViewRequestSchema, body).orderView)
        : await actions.createOrder(readInput(orderRequestSchema, body));
    response.status(201).location(`${request.baseUrl}/orders/${order.orderId}`).json(showOrder(order));
  });

  router.get("/orders", async (request, response) => {
    const { cursor, limit } = readInput(pageSchema, request.query);
    const orders = await store.listOrders({ after: cursor ?? null, limit: limit + 1 });
    const items = orders.slice(0, limit);
    response.json({ items, nextCursor: orders.length > limit ? (items.at(-1)?.orderId ?? null) : null });
  });

  router.get("/orders/:orderId", async (request, response) => {
    const order = await store.readOrder(request.params.orderId);
    if (order === null) throw new AppError(orderNotFoundCode, `There is no order ${request.params.orderId}.`);
    response.json(showOrder(order));
  });

  router.post("/orders/:orderId/changes", readBody, async (request, response) => {
    const change = readInput(changeRequestSchema, readJson(request));
    response.status(201).json(await actions.causeChange(request.params.orderId, change));
  });

  router.get("/journal", async (request, response) => {
    const { orderId, limit } = readInput(journalQuerySchema, request.query);
    response.json({ items: await store.readJournal({ orderId: orderId ?? null, limit }) });
  });

  router.post("/faults", readBody, (request, response) => {
    const fault = readInput(faultSchema, readJson(request));
    faults.set(fault);
    logger.info(fault, "fault.set");
    response.status(201).json(fault);
  });
  router.get("/faults", (_request, response) => {
    response.json({ items: faults.list() });
  });
  router.delete("/faults", (_request, response) => {
    faults.clear();
    response.status(204).end();
  });

  router.use(answerError(logger));
  return router;
}

const limit = z.coerce.number().int().min(1).max(pageSize.max).default(pageSize.usual);
const pageSchema = z.object({ cursor: z.string().max(64).optional(), limit });
const journalQuerySchema = z.object({ orderId: z.string().max(64).optional(), limit });
const orderViewRequestSchema = z.strictObject({ orderView: z.record(z.string(), z.unknown()) });

/** Codes of what is wrong with a request itself. */
const requestErrorCodes = {
  notAuthorized: "gateway.control_not_authorized",
  notJson: "gateway.request_not_json",
  invalid: "gateway.invalid_request",
} as const;

function authenticate(options: ControlRouterOptions): RequestHandler {
  return async (request, response, next) => {
    const [, token] = /^Bearer +([^\s]+)$/i.exec(request.headers.authorization ?? "") ?? [];
    if (token !== undefined && (await options.verifyToken(token))) {
      next();
      return;
    }
    const problem: Problem = {
      status: 401,
      code: requestErrorCodes.notAuthorized,
      title: "Not authorized",
      detail: "Send Authorization: Bearer with the value of GATEWAY_CONTROL_TOKEN.",
    };
    writeProblem(response, problem, { "WWW-Authenticate": 'Bearer realm="gateway control"' });
  };
}

/** An order with its view, as AirReservationStatus answers it. */
function showOrder(order: GatewayOrder) {
  return {
    orderId: order.orderId,
    owner: order.owner,
    version: order.version,
    createdAt: order.createdAt,
    gdsBookingReferences: order.references.map((reference) => reference.gdsBookingReference),
    references: order.references,
    openChange: order.change,
    orderView: statusBody(order, undefined),
  };
}

/** An empty body counts as `{}`: everything has a default. */
function readJson(request: Request): unknown {
  const body: unknown = request.body;
  if (!Buffer.isBuffer(body) || body.length === 0) return {};
  const parsed = parseJson(body);
  if (parsed.ok) return parsed.value;
  throw new AppError(requestErrorCodes.notJson, "The request body is not JSON.");
}

class InvalidRequest extends AppError {
  readonly problems: readonly { readonly path: string; readonly message: string }[];

  constructor(error: z.ZodError) {
    super(requestErrorCodes.invalid, `The request cannot be used: ${z.prettifyError(error)}`);
    this.problems = error.issues.map((issue) => ({
      path: issue.path.map((part) => `/${String(part)}`).join(""),
      message: issue.message,
    }));
  }
}

function readInput<T extends z.ZodType>(schema: T, input: unknown): z.output<T> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new InvalidRequest(parsed.error);
}

const problemsByCode: Readonly<Record<string, { readonly status: number; readonly title: string }>> = {
  [requestErrorCodes.notJson]: { status: 400, title: "Not JSON" },
  [requestErrorCodes.invalid]: { status: 422, title: "Invalid request" },
  [unusableOrderView]: { status: 422, title: "Unusable order view" },
  [orderExists]: { status: 409, title: "The order exists" },
  [orderNotFoundCode]: { status: 404, title: "No such order" },
  [changeErrorCodes.unknownSegment]: { status: 422, title: "No such flight" },
  [changeErrorCodes.unknownReference]: { status: 422, title: "No such booking reference" },
  [changeErrorCodes.nothingToChange]: { status: 409, title: "Nothing to change" },
  [changeErrorCodes.notExpressible]: { status: 422, title: "The change cannot be expressed" },
};

function answerError(logger: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    const problem = toProblem(error, request, logger);
    writeProblem(response, problem, problem.status === 503 ? { "Retry-After": "1" } : {});
  };
}

function toProblem(error: unknown, request: Request, logger: Logger): Problem {
  const code = codeOf(error);
  const known = problemsByCode[code];
  if (known !== undefined) {
    const extensions = error instanceof InvalidRequest ? { problems: error.problems } : {};
    return { ...known, code, detail: messageOf(error), extensions };
  }
  if (error instanceof AppError && error.retryable) {
    return { status: 503, code, title: "Not available", detail: error.message };
  }
  const status = bodyErrorStatus(error);
  if (status !== null) {
    const detail = status === 413 ? `Send at most ${requestBytesMax} bytes.` : "The request body cannot be read.";
    return { status, code: "gateway.unreadable_request", title: "Unreadable request", detail };
  }
  logger.error({ path: request.path, code, error: messageOf(error) }, "gateway.control_failed");
  return { status: 500, code: "unexpected", title: "Unexpected error", detail: "See the log of the gateway." };
}
