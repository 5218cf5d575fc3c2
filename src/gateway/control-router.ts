import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Router } from "express";
import { z } from "zod";
import { parseJson } from "../contract/json.ts";
import { isRecord } from "../contract/lenient-value.ts";
import { AppError, codeOf, messageOf } from "../kernel/app-error.ts";
import { type Problem, writeProblem } from "../kernel/problem-document.ts";
import type { Logger } from "../telemetry/logger.ts";
import { wrongReferenceCount } from "./book-offer.ts";
import { extraErrorCodes } from "./booking/choose-extras.ts";
import { changeOfFlightSchema, changeRequestSchema, changeSequenceSchema } from "./change-request.ts";
import { faultKinds, faultSchema } from "./fault-kinds.ts";
import type { Faults } from "./faults.ts";
import { flightChangeQuerySchema, flightPathSchema } from "./flight-request.ts";
import { unusableOrderView } from "./load-order-view.ts";
import { offerOrderRequestSchema } from "./offer-order-request.ts";
import { OperationRefusal } from "./operation.ts";
import { type OrderActions, orderExists, orderNotFoundCode } from "./order-actions.ts";
import { bookingEventSchema, eventErrorCodes, flownRequestSchema, type OrderEvents } from "./order-events.ts";
import { orderRequestSchema } from "./order-request.ts";
import { statusBody } from "./order-view-body.ts";
import type { GatewayOrder, GatewayStore, ServiceSwitches } from "./ports.ts";
import { changeErrorCodes } from "./propose-change.ts";
import { optionalServices, servicesSchema, showServices } from "./service-switches.ts";
import type { OfferSearches } from "./shopping/offer-searches.ts";
import { invalidSearch, noShoppingResponse } from "./shopping/search-offers.ts";
import { shoppingRequestSchema } from "./shopping/shopping-request.ts";
import { showShoppingResponse } from "./shopping/show-response.ts";
import { unreadableStatus } from "./unreadable-status.ts";
import { holdsUnstorableText } from "./unstorable-text.ts";

export interface ControlRouterOptions {
  readonly store: GatewayStore;
  readonly searches: OfferSearches;
  readonly actions: OrderActions;
  readonly events: OrderEvents;
  readonly faults: Faults;
  readonly services: ServiceSwitches;
  /** Whether a bearer token is the one of the control routes, in a time that tells nothing. */
  readonly verifyToken: (token: string) => Promise<boolean>;
  /** Whether the request comes from a page of this side that somebody is signed in to; not given: nobody is. */
  readonly isSignedIn?: (request: Request) => boolean;
  readonly logger: Logger;
}

/** Longest request in bytes: an order view of many passengers fits several times. */
const requestBytesMax = 2 * 1024 * 1024;
const pageSize = { usual: 50, max: 500 } as const;

/**
 * What the interface document does not show and a gateway needs nevertheless: how orders come to be and change.
 * Mounted at `/control`; every request needs `Authorization: Bearer <token>`, or the session of a page. A request that no route here answers is
 * passed on, authenticated, to whatever is mounted behind.
 *
 * | route | |
 * |---|---|
 * | `POST /shopping-responses` | searches for offers (`shopping-request.ts`): 201 and what was found |
 * | `GET /shopping-responses/:shoppingResponseId` | what was found, also when it has expired |
 * | `POST /orders` | makes an order (`order-request.ts`), books an offer (`offer-order-request.ts`), or takes over `{orderView}`: 201 and the order |
 * | `GET /orders?cursor=&limit=` | `{items, nextCursor}`, by order id |
 * | `GET /orders/:orderId` | the order with its view |
 * | `POST /orders/:orderId/changes` | causes a change (`change-request.ts`): 201 `{changeId, state, deliveries, …}` |
 * | `POST /orders/:orderId/flown` | marks flights as flown: `{orderId, references, tickets}` |
 * | `POST /orders/:orderId/modified`, `POST /orders/:orderId/failed` | moves its bookings there: the same |
 * | `GET /journal?orderId=&limit=` | `{items}`: the newest calls of operations, oldest first |
 * | `POST /flights/:carrier/:number/:date/changes` | causes it for every order on that flight: 200 and what became of each |
 * | `GET /services`, `PUT /services` | which optional services are offered (`service-switches.ts`) |
 * | `GET /faults/kinds` | `{items}`: what faults there are |
 * | `POST /faults`, `GET /faults`, `DELETE /faults` | misbehaviour of this process, for tests |
 */
export function createControlRouter(options: ControlRouterOptions): Router {
  const { store, searches, actions, events, faults, services, logger } = options;
  const router = express.Router();
  const readBody = express.raw({ type: () => true, limit: requestBytesMax });
  router.use(authenticate(options));
  router.use(refuseNul);

  router.post("/shopping-responses", readBody, async (request, response) => {
    const found = await searches.search(readInput(shoppingRequestSchema, readJson(request)));
    response.status(201).location(`${request.baseUrl}/shopping-responses/${found.shoppingResponseId}`);
    response.json(showShoppingResponse(found));
  });
  router.get("/shopping-responses/:shoppingResponseId", async (request, response) => {
    response.json(showShoppingResponse(await searches.read(request.params.shoppingResponseId)));
  });

  router.post("/orders", readBody, async (request, response) => {
    const body = readJson(request);
    const order = await makeOrder(actions, body);
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
    const { orderId } = request.params;
    const body = readJson(request);
    if (isRecord(body) && "changes" in body) {
      const { changes } = readInput(changeSequenceSchema, body);
      response.status(201).json({ items: await actions.causeChanges(orderId, changes) });
      return;
    }
    response.status(201).json(await actions.causeChange(orderId, readInput(changeRequestSchema, body)));
  });

  router.post("/flights/:carrier/:number/:date/changes", readBody, async (request, response) => {
    const flight = readInput(flightPathSchema, request.params);
    const { cursor, limit: ordersMax } = readInput(flightChangeQuerySchema, request.query);
    const change = readInput(changeOfFlightSchema, readJson(request));
    response.json(await actions.changeFlight(flight, change, { after: cursor ?? null, limit: ordersMax }));
  });

  router.get("/services", async (_request, response) => {
    response.json({ services: showServices(await services.readSwitchedOff()) });
  });
  router.put("/services", readBody, async (request, response) => {
    const { services: wanted } = readInput(servicesSchema, readJson(request));
    const switchedOff = optionalServices.filter((name) => wanted[name] === false);
    await services.switchOff(switchedOff);
    logger.info({ switchedOff }, "gateway.services_switched");
    response.json({ services: showServices(switchedOff) });
  });

  router.post("/orders/:orderId/flown", readBody, async (request, response) => {
    response.json(await events.fly(request.params.orderId, readInput(flownRequestSchema, readJson(request))));
  });
  router.post("/orders/:orderId/modified", readBody, async (request, response) => {
    const event = readInput(bookingEventSchema, readJson(request));
    response.json(await events.move(request.params.orderId, "modify", event));
  });
  router.post("/orders/:orderId/failed", readBody, async (request, response) => {
    const event = readInput(bookingEventSchema, readJson(request));
    response.json(await events.move(request.params.orderId, "fail", event));
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
  router.get("/faults/kinds", (_request, response) => {
    response.json({ items: faultKinds });
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

function makeOrder(actions: OrderActions, body: unknown): Promise<GatewayOrder> {
  if (isRecord(body) && "orderView" in body) {
    return actions.loadOrder(readInput(orderViewRequestSchema, body).orderView);
  }
  if (isRecord(body) && "offerId" in body) return actions.bookOffer(readInput(offerOrderRequestSchema, body));
  return actions.createOrder(readInput(orderRequestSchema, body));
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
    const isAuthenticated =
      token === undefined ? options.isSignedIn?.(request) === true : await options.verifyToken(token);
    if (isAuthenticated) {
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

/** No id has NUL in it, and PostgreSQL would not compare one. */
const refuseNul: RequestHandler = (request, _response, next) => {
  next(request.url.includes("%00") ? new AppError(requestErrorCodes.invalid, "The URL holds NUL (%00).") : undefined);
};

/** An order with its view, as AirReservationStatus answers it. */
function showOrder(order: GatewayOrder) {
  return {
    orderId: order.orderId,
    owner: order.owner,
    version: order.version,
    createdAt: order.createdAt,
    gdsBookingReferences: order.references.map((reference) => reference.gdsBookingReference),
    references: order.references,
    tickets: order.tickets,
    openChange: order.change,
    orderView: statusBody(order, undefined),
  };
}

/** An empty body counts as `{}`: everything has a default. */
function readJson(request: Request): unknown {
  const body: unknown = request.body;
  if (!Buffer.isBuffer(body) || body.length === 0) return {};
  const parsed = parseJson(body);
  if (!parsed.ok) throw new AppError(requestErrorCodes.notJson, "The request body is not JSON.");
  if (holdsUnstorableText(parsed.value)) {
    throw new AppError(
      requestErrorCodes.invalid,
      "A text of the request holds NUL or half of a character (U+D800 to U+DFFF).",
    );
  }
  return parsed.value;
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
  [invalidSearch]: { status: 422, title: "Invalid search" },
  [noShoppingResponse]: { status: 404, title: "No such shopping response" },
  [wrongReferenceCount]: { status: 422, title: "Wrong number of booking references" },
  [extraErrorCodes.unknownPlace]: { status: 422, title: "No such flight or passenger" },
  [extraErrorCodes.seatNotAvailable]: { status: 409, title: "The seat cannot be taken" },
  [extraErrorCodes.serviceNotOffered]: { status: 422, title: "The service is not offered" },
  [orderExists]: { status: 409, title: "The order exists" },
  [orderNotFoundCode]: { status: 404, title: "No such order" },
  [changeErrorCodes.unknownSegment]: { status: 422, title: "No such flight" },
  [changeErrorCodes.unknownReference]: { status: 422, title: "No such booking reference" },
  [changeErrorCodes.nothingToChange]: { status: 409, title: "Nothing to change" },
  [eventErrorCodes.nothingToFly]: { status: 409, title: "Nothing to fly" },
  [eventErrorCodes.notMovable]: { status: 409, title: "The booking cannot go there" },
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
  if (error instanceof OperationRefusal) {
    const { httpStatus, gatewayCode, message } = error;
    return { status: httpStatus, code, title: "Refused", detail: message, extensions: { businessCode: gatewayCode } };
  }
  const known = problemsByCode[code];
  if (known !== undefined) {
    const extensions = error instanceof InvalidRequest ? { problems: error.problems } : {};
    return { ...known, code, detail: messageOf(error), extensions };
  }
  if (error instanceof AppError && error.retryable) {
    return { status: 503, code, title: "Not available", detail: error.message };
  }
  const status = unreadableStatus(error);
  if (status !== null) {
    const detail = status === 413 ? `Send at most ${requestBytesMax} bytes.` : "The request cannot be read.";
    return { status, code: "gateway.unreadable_request", title: "Unreadable request", detail };
  }
  logger.error({ path: request.path, code, error: messageOf(error) }, "gateway.control_failed");
  return { status: 500, code: "unexpected", title: "Unexpected error", detail: "See the log of the gateway." };
}
