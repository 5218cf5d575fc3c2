import { z } from "zod";
import { textParameter } from "../http/mount-routes.ts";
import { describeProblems, problemsIn, type RequestProblem } from "../http/request-problems.ts";
import { type BodyChoice, problem, routes, routesFor, success } from "../http/route.ts";
import { AppError } from "../kernel/app-error.ts";
import { isRecord } from "../kernel/record.ts";
import type { Logger } from "../telemetry/logger.ts";
import { changeOfFlightSchema, changeRequestSchema, changeSequenceSchema } from "./change-request.ts";
import { faultKinds, faultSchema } from "./fault-kinds.ts";
import type { Faults } from "./faults.ts";
import { flightChangeQuerySchema, flightPathSchema } from "./flight-request.ts";
import { offerOrderRequestSchema } from "./offer-order-request.ts";
import type { OrderActions } from "./order-actions.ts";
import { orderNotFoundCode } from "./order-codes.ts";
import { bookingEventSchema, type ExternalChanges, flownRequestSchema } from "./order-events.ts";
import { agencyId, orderRequestSchema } from "./order-request.ts";
import { statusBody } from "./order-view-body.ts";
import type { GatewayOrder, GatewayStore, ServiceSwitches } from "./ports.ts";
import { optionalServices, servicesSchema, showServices } from "./service-switches.ts";
import type { OfferSearches } from "./shopping/offer-searches.ts";
import { shoppingRequestSchema } from "./shopping/shopping-request.ts";
import { showShoppingResponse } from "./shopping/show-response.ts";
import { noSupplyCode } from "./supply/no-supply.ts";

export type ControlNeeds = {
  readonly store: GatewayStore;
  readonly searches: OfferSearches;
  readonly actions: OrderActions;
  readonly events: ExternalChanges;
  readonly faults: Faults;
  readonly services: ServiceSwitches;
  readonly logger: Logger;
};

export const controlTag = "Control";

const role = null;
const route = routesFor<null, null>();

const object = { type: "object" };
const orderId = { orderId: textParameter };
const noOrder = problem("There is no such order.", orderNotFoundCode);
const moved = {
  200: success("The states of its bookings and tickets.", object),
  404: noOrder,
};
const notMovable = problem("A booking cannot go there from where it is.", "gateway.booking_not_movable");

const limit = z.coerce
  .number()
  .int()
  .min(1)
  .max(500)
  .default(50)
  .meta({ description: "Items, 1 to 500; 50 when not given." });
const pageQuery = z.object({
  cursor: z.string().max(64).optional().meta({ description: "`nextCursor` of the page before." }),
  limit,
});
const journalQuery = z.object({
  orderId: z.string().max(64).optional().meta({ description: "Calls that name this order." }),
  limit,
});

const orderViewRequestSchema = z.strictObject({
  orderView: z.record(z.string(), z.unknown()).meta({ description: "Inside OrderViewRS or not." }),
  agencyId,
});

const replaceOrderSchema = z.strictObject({
  ...orderViewRequestSchema.shape,
  flights: z.enum(["proposed", "booked"]).default("proposed").meta({
    description:
      "If the view states no change of its own: flights that differ are a change that the airline proposes, or are booked already, as when the traveller rebooked.",
  }),
});

type NewOrderSchema = typeof orderViewRequestSchema | typeof offerOrderRequestSchema | typeof orderRequestSchema;
type NewOrder = z.output<NewOrderSchema>;

const newOrderBody: BodyChoice<NewOrder, z.input<NewOrderSchema>> = {
  alternatives: [
    orderRequestSchema.meta({ id: "OrderRequest", description: "An order to make up: `{}` is one." }),
    offerOrderRequestSchema.meta({ id: "OfferOrderRequest", description: "An offer to book." }),
    orderViewRequestSchema,
  ],
  pick(given) {
    if (isRecord(given) && "orderView" in given) return orderViewRequestSchema;
    return isRecord(given) && "offerId" in given ? offerOrderRequestSchema : orderRequestSchema;
  },
};

type ChangesSchema = typeof changeSequenceSchema | typeof changeRequestSchema;

const changesBody: BodyChoice<z.output<ChangesSchema>, z.input<ChangesSchema>> = {
  alternatives: [changeRequestSchema, changeSequenceSchema.meta({ id: "ChangeSequence" })],
  pick: (given) => (isRecord(given) && "changes" in given ? changeSequenceSchema : changeRequestSchema),
};

/** Routes that the interface document does not have: they book and change orders. */
export const controlRoutes = routes(controlTag, {
  shop: route("POST /shopping-responses", role, {
    summary: "Makes a shopping response: offers for the operations on offers",
    body: shoppingRequestSchema.meta({ id: "ShoppingRequest" }),
    responses: {
      201: success("The offers, and the id of their response.", object),
      404: problem("The gateway has no supply (SUPPLY).", noSupplyCode),
    },
    async handle({ body, request }, { searches }: ControlNeeds) {
      const found = await searches.search(body);
      const Location = `${request.baseUrl}/shopping-responses/${found.shoppingResponseId}`;
      return { body: showShoppingResponse(found), headers: { Location } };
    },
  }),
  readShoppingResponse: route("GET /shopping-responses/{shoppingResponseId}", role, {
    summary: "A shopping response again, also when it has expired",
    params: { shoppingResponseId: textParameter },
    responses: { 200: success("The offers.", object), 404: problem("There is no such shopping response.") },
    async handle({ params }, { searches }: ControlNeeds) {
      return { body: showShoppingResponse(await searches.read(params.shoppingResponseId)) };
    },
  }),
  createOrder: route("POST /orders", role, {
    summary: "Makes an order, books an offer, or takes over an order view of another gateway",
    body: newOrderBody,
    responses: {
      201: success("The order with its view.", object),
      409: problem("There is such an order already."),
    },
    async handle({ body, request }, { actions }: ControlNeeds) {
      const order = await makeOrder(actions, body);
      return { body: showOrder(order), headers: { Location: `${request.baseUrl}/orders/${order.orderId}` } };
    },
  }),
  listOrders: route("GET /orders", role, {
    summary: "Orders by order id",
    query: pageQuery,
    responses: { 200: success("`items` and `nextCursor`.", object) },
    async handle({ query }, { store }: ControlNeeds) {
      const orders = await store.listOrders({ after: query.cursor ?? null, limit: query.limit + 1 });
      const items = orders.slice(0, query.limit);
      const nextCursor = orders.length > query.limit ? (items.at(-1)?.orderId ?? null) : null;
      return { body: { items, nextCursor } };
    },
  }),
  readOrder: route("GET /orders/{orderId}", role, {
    summary: "One order with its view",
    params: orderId,
    responses: { 200: success("The order.", object), 404: noOrder },
    async handle({ params }, { store }: ControlNeeds) {
      const order = await store.readOrder(params.orderId);
      if (order === null) throw new AppError(orderNotFoundCode, `There is no order ${params.orderId}.`);
      return { body: showOrder(order) };
    },
  }),
  replaceOrder: route("PUT /orders/{orderId}", role, {
    summary: "Stores a newer view of an order, and tells the recipients what differs",
    params: orderId,
    body: replaceOrderSchema.meta({ id: "ReplaceOrderRequest" }),
    responses: {
      200: success("What differs, and the deliveries of its notification; or `unchanged`.", object),
      201: success("The order is new, so it is stored and nobody is told.", object),
      409: problem("No booking of the order flies what differs.", "gateway.nothing_to_change"),
    },
    async handle({ params, body }, { actions }: ControlNeeds) {
      const replaced = await actions.replaceOrder(params.orderId, body);
      return { status: replaced.outcome === "stored" ? 201 : 200, body: replaced };
    },
  }),
  changeOrder: route("POST /orders/{orderId}/changes", role, {
    summary: "Has the airline change an order, once or several times, and tells the recipients",
    params: orderId,
    body: changesBody,
    responses: {
      201: success("Each change, and to how many recipients it goes.", object),
      404: noOrder,
      409: problem("There is nothing that could change so.", "gateway.nothing_to_change"),
    },
    async handle({ params, body }, { actions }: ControlNeeds) {
      if ("changes" in body) return { body: { items: await actions.causeChanges(params.orderId, body.changes) } };
      return { body: await actions.causeChange(params.orderId, body) };
    },
  }),
  flyOrder: route("POST /orders/{orderId}/flown", role, {
    summary: "Marks flights as flown",
    params: orderId,
    body: flownRequestSchema,
    responses: { ...moved, 409: problem("Nothing of the order was flown.", "gateway.nothing_to_fly") },
    async handle({ params, body }, { events }: ControlNeeds) {
      return { body: await events.fly(params.orderId, body) };
    },
  }),
  modifyOrder: route("POST /orders/{orderId}/modified", role, {
    summary: "Changes bookings as the traveller asks: MODIFIED",
    params: orderId,
    body: bookingEventSchema,
    responses: { ...moved, 409: notMovable },
    async handle({ params, body }, { events }: ControlNeeds) {
      return { body: await events.move(params.orderId, "modify", body) };
    },
  }),
  failOrder: route("POST /orders/{orderId}/failed", role, {
    summary: "Has the airline not confirm bookings: FAILED",
    params: orderId,
    body: bookingEventSchema,
    responses: { ...moved, 409: notMovable },
    async handle({ params, body }, { events }: ControlNeeds) {
      return { body: await events.move(params.orderId, "fail", body) };
    },
  }),
  changeFlight: route("POST /flights/{carrier}/{number}/{date}/changes", role, {
    summary: "Causes a change for every order on one flight of one local date",
    params: { carrier: textParameter, number: textParameter, date: textParameter },
    query: flightChangeQuerySchema,
    body: changeOfFlightSchema,
    responses: { 200: success("What became of each order.", object) },
    async handle({ params, query, body }, { actions }: ControlNeeds) {
      const flight = readInput(flightPathSchema, params);
      const page = { after: query.cursor ?? null, limit: query.limit };
      return { body: await actions.changeFlight(flight, body, page) };
    },
  }),
  readServices: route("GET /services", role, {
    summary: "Which optional services are offered",
    responses: { 200: success("`services`: true or false by name.", object) },
    async handle(_request, { services }: ControlNeeds) {
      return { body: { services: showServices(await services.readSwitchedOff()) } };
    },
  }),
  switchServices: route("PUT /services", role, {
    summary: "Switches optional services on and off",
    body: servicesSchema.meta({ id: "Services" }),
    responses: { 200: success("`services`: true or false by name.", object) },
    async handle({ body }, { services, logger }: ControlNeeds) {
      const switchedOff = optionalServices.filter((name) => body.services[name] === false);
      await services.switchOff(switchedOff);
      logger.info({ switchedOff }, "gateway.services_switched");
      return { body: { services: showServices(switchedOff) } };
    },
  }),
  readJournal: route("GET /journal", role, {
    summary: "The newest calls of operations, oldest first",
    query: journalQuery,
    responses: { 200: success("`items`.", object) },
    async handle({ query }, { store }: ControlNeeds) {
      return { body: { items: await store.readJournal({ orderId: query.orderId ?? null, limit: query.limit }) } };
    },
  }),
  setFault: route("POST /faults", role, {
    summary: "Sets a fault of this process, for tests",
    body: faultSchema.meta({ id: "Fault" }),
    responses: { 201: success("The fault that is set.", object) },
    handle({ body }, { faults, logger }: ControlNeeds) {
      faults.set(body);
      logger.info(body, "fault.set");
      return { body };
    },
  }),
  listFaults: route("GET /faults", role, {
    summary: "The faults that are set",
    responses: { 200: success("`items`.", object) },
    handle: (_request, { faults }: ControlNeeds) => ({ body: { items: faults.list() } }),
  }),
  clearFaults: route("DELETE /faults", role, {
    summary: "Takes all faults back",
    responses: { 204: success("Done.") },
    handle(_request, { faults }: ControlNeeds) {
      faults.clear();
      return {};
    },
  }),
  listFaultKinds: route("GET /faults/kinds", role, {
    summary: "What faults there are",
    responses: { 200: success("`items`, each with its family and what it does.", object) },
    handle: () => ({ body: { items: faultKinds } }),
  }),
});

function makeOrder(actions: OrderActions, body: NewOrder): Promise<GatewayOrder> {
  if ("orderView" in body) return actions.loadOrder(body);
  return "offerId" in body ? actions.bookOffer(body) : actions.createOrder(body);
}

/** With its view as AirReservationStatus returns it. */
function showOrder(order: GatewayOrder) {
  return {
    orderId: order.orderId,
    owner: order.owner,
    agencyId: order.agencyId,
    version: order.version,
    createdAt: order.createdAt,
    gdsBookingReferences: order.references.map((reference) => reference.gdsBookingReference),
    references: order.references,
    tickets: order.tickets,
    openChange: order.change,
    orderView: statusBody(order, undefined),
  };
}

/** A part of a request does not match its schema. */
export class InvalidRequest extends AppError {
  static readonly code = "gateway.invalid_request";
  readonly problems: readonly RequestProblem[];

  constructor(error: z.ZodError) {
    const problems = problemsIn(error);
    super(InvalidRequest.code, `The request cannot be used. ${describeProblems(problems)}.`);
    this.problems = problems;
  }
}

function readInput<T extends z.ZodType>(schema: T, input: unknown): z.output<T> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new InvalidRequest(parsed.error);
}
