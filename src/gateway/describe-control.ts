import type { z } from "zod";
import { type ApiDescription, type ApiParts, pathParameter } from "../contract/openapi/api-parts.ts";
import type { Json } from "../contract/openapi/schema-collection.ts";
import { changeOfFlightSchema, changeRequestSchema, changeSequenceSchema } from "./change-request.ts";
import { faultSchema } from "./fault-kinds.ts";
import { bookingEventSchema, flownRequestSchema } from "./order-events.ts";
import { orderRequestSchema } from "./order-request.ts";
import { servicesSchema } from "./service-switches.ts";
import { shoppingRequestSchema } from "./shopping/shopping-request.ts";

const tag = "Control";

/** A control route, as far as it differs from the others. What answers hold: docs/gateway.md. */
interface ControlRoute {
  readonly method: "get" | "post" | "put" | "delete";
  /** Below `/control`, in the form of OpenAPI. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  /** What the body must be one of. */
  readonly bodies?: readonly (z.ZodType | Json)[];
  readonly query?: readonly Json[];
  /** HTTP status on success, and what is answered; 204 is answered without a body. */
  readonly answers: readonly [status: 200 | 201 | 204, description: string];
  /** Answers that others do not have. */
  readonly problems?: readonly (readonly [status: 404 | 409, description: string, code?: string])[];
}

const cursor = query("cursor", "`nextCursor` of the page before.", { type: "string", maxLength: 64 });
const limit = query("limit", "Items, 1 to 500; 50 when not given.", { type: "integer", minimum: 1, maximum: 500 });
const noOrder = [404, "There is no such order.", "gateway.order_not_found"] as const;
const takenOver: Json = {
  type: "object",
  properties: { orderView: { type: "object", description: "Inside OrderViewRS or not." } },
  required: ["orderView"],
  additionalProperties: false,
};

const routes: readonly ControlRoute[] = [
  {
    method: "post",
    path: "/shopping-responses",
    operationId: "shop",
    summary: "Makes a shopping response: offers for the operations on offers",
    bodies: [shoppingRequestSchema.meta({ id: "ShoppingRequest" })],
    answers: [201, "The offers, and the id of their response."],
  },
  {
    method: "get",
    path: "/shopping-responses/{shoppingResponseId}",
    operationId: "readShoppingResponse",
    summary: "A shopping response again",
    answers: [200, "The offers."],
    problems: [[404, "There is no such shopping response."]],
  },
  {
    method: "post",
    path: "/orders",
    operationId: "createOrder",
    summary: "Makes an order, or takes over an order view of another gateway",
    bodies: [
      orderRequestSchema.meta({ id: "OrderRequest", description: "An order to make up: `{}` is one." }),
      takenOver,
    ],
    answers: [201, "The order with its view."],
    problems: [[409, "There is such an order already."]],
  },
  {
    method: "get",
    path: "/orders",
    operationId: "listOrders",
    summary: "Orders by order id",
    query: [cursor, limit],
    answers: [200, "`items` and `nextCursor`."],
  },
  {
    method: "get",
    path: "/orders/{orderId}",
    operationId: "readOrder",
    summary: "One order with its view",
    answers: [200, "The order."],
    problems: [noOrder],
  },
  {
    method: "post",
    path: "/orders/{orderId}/changes",
    operationId: "changeOrder",
    summary: "Has the airline change an order, once or several times, and tells the recipients",
    bodies: [changeRequestSchema, changeSequenceSchema.meta({ id: "ChangeSequence" })],
    answers: [201, "Each change, and to how many recipients it goes."],
    problems: [noOrder, [409, "There is nothing that could change so.", "gateway.nothing_to_change"]],
  },
  {
    method: "post",
    path: "/orders/{orderId}/flown",
    operationId: "flyOrder",
    summary: "Marks flights as flown",
    bodies: [flownRequestSchema],
    answers: [200, "The states of its bookings and tickets."],
    problems: [noOrder, [409, "Nothing of the order was flown.", "gateway.nothing_to_fly"]],
  },
  {
    method: "post",
    path: "/orders/{orderId}/modified",
    operationId: "modifyOrder",
    summary: "Changes bookings at the traveller's wish: MODIFIED",
    bodies: [bookingEventSchema],
    answers: [200, "The states of its bookings and tickets."],
    problems: [noOrder, [409, "A booking cannot go there from where it is.", "gateway.booking_not_movable"]],
  },
  {
    method: "post",
    path: "/orders/{orderId}/failed",
    operationId: "failOrder",
    summary: "Has the airline not confirm bookings: FAILED",
    bodies: [bookingEventSchema],
    answers: [200, "The states of its bookings and tickets."],
    problems: [noOrder, [409, "A booking cannot go there from where it is.", "gateway.booking_not_movable"]],
  },
  {
    method: "post",
    path: "/flights/{carrier}/{number}/{date}/changes",
    operationId: "changeFlight",
    summary: "Causes a change for every order on one flight of one local date",
    bodies: [changeOfFlightSchema],
    query: [cursor, query("limit", "Orders that are changed at most.", { type: "integer", minimum: 1 })],
    answers: [200, "What became of each order."],
  },
  {
    method: "get",
    path: "/services",
    operationId: "readServices",
    summary: "Which optional services are offered",
    answers: [200, "`services`: true or false by name."],
  },
  {
    method: "put",
    path: "/services",
    operationId: "switchServices",
    summary: "Switches optional services on and off",
    bodies: [servicesSchema.meta({ id: "Services" })],
    answers: [200, "`services`: true or false by name."],
  },
  {
    method: "get",
    path: "/journal",
    operationId: "readJournal",
    summary: "The newest calls of operations, oldest first",
    query: [query("orderId", "Calls that name this order.", { type: "string", maxLength: 64 }), limit],
    answers: [200, "`items`."],
  },
  {
    method: "post",
    path: "/faults",
    operationId: "setFault",
    summary: "Sets misbehaviour of this process, for tests",
    bodies: [faultSchema.meta({ id: "Fault" })],
    answers: [201, "The fault that is set."],
  },
  {
    method: "get",
    path: "/faults",
    operationId: "listFaults",
    summary: "The faults that are set",
    answers: [200, "`items`."],
  },
  {
    method: "delete",
    path: "/faults",
    operationId: "clearFaults",
    summary: "Takes all faults back",
    answers: [204, "Done."],
  },
  {
    method: "get",
    path: "/faults/kinds",
    operationId: "listFaultKinds",
    summary: "What faults there are",
    answers: [200, "`items`, each with its family and what it does."],
  },
];

/** Describes the routes of `createControlRouter`, mounted at `/control`. */
export function describeControl(parts: ApiParts): ApiDescription {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = `/control${route.path}`;
    paths[path] = { ...paths[path], [route.method]: describeRoute(route, parts) };
  }
  return {
    tags: [
      {
        name: tag,
        description:
          "What the interface does not show and a gateway needs: how orders come to be and change. An unknown path is answered with 404 `gateway.no_such_route`.",
      },
    ],
    paths,
    securitySchemes: {
      controlToken: { type: "http", scheme: "bearer", description: "GATEWAY_CONTROL_TOKEN." },
    },
  };
}

/** What every control route may answer instead of what was asked for. */
export function describeControlProblems({ problem }: ApiParts): Json {
  return {
    401: problem("The token is missing or wrong.", ["gateway.control_not_authorized"]),
    500: problem("Something unforeseen; the log has the details.", ["unexpected"]),
    503: problem("The database cannot be reached; try again after Retry-After."),
  };
}

function describeRoute(route: ControlRoute, parts: ApiParts): Json {
  const { problem } = parts;
  const { operationId, summary, bodies = [], query: ownQuery = [], problems = [] } = route;
  const [status, description] = route.answers;
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => pathParameter(name!));
  const parameters = [...inPath, ...ownQuery];
  const unreadable = ["gateway.unreadable_request"];
  const takesBody = {
    400: problem("The body is not JSON, or cannot be read.", ["gateway.request_not_json", ...unreadable]),
    413: problem("The body is longer than 2 MiB.", unreadable),
    415: problem("The Content-Encoding is not known.", unreadable),
  };
  const takesInput = {
    422: problem("The request is not what this takes; `code`, and `problems` where there are several, say why.", [
      "gateway.invalid_request",
    ]),
  };
  return {
    operationId,
    tags: [tag],
    summary,
    security: [{ controlToken: [] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(bodies.length === 0 ? {} : { requestBody: describeBodies(bodies, parts) }),
    responses: {
      [status]: status === 204 ? { description } : parts.looseAnswer(description, { type: "object" }),
      ...describeControlProblems(parts),
      ...(bodies.length === 0 ? {} : takesBody),
      ...(bodies.length === 0 && ownQuery.length === 0 ? {} : takesInput),
      ...Object.fromEntries(
        problems.map(([refusal, text, code]) => [refusal, problem(text, code === undefined ? [] : [code])]),
      ),
    },
  };
}

function describeBodies(bodies: readonly (z.ZodType | Json)[], { schemaOf }: ApiParts): Json {
  const schemas = bodies.map((body) => ("_zod" in body ? schemaOf(body as z.ZodType, "input") : body));
  const schema = schemas.length === 1 ? schemas[0] : { anyOf: schemas };
  // An empty body counts as `{}`.
  return { required: false, content: { "application/json": { schema } } };
}

function query(name: string, description: string, schema: Json): Json {
  return { name, in: "query", required: false, description, schema };
}
