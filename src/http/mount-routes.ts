import type { Request, RequestHandler, Response, Router } from "express";
import { z } from "zod";
import { AppError } from "../kernel/app-error.ts";
import { idPattern } from "../kernel/ids.ts";
import { type Problem, ProblemError, writeProblem } from "./problem-document.ts";
import {
  type AnyRoutes,
  type BodyChoice,
  type NeedsOf,
  type PathParameter,
  placeOf,
  type Route,
  type RouteResult,
} from "./route.ts";

/** What the routes of one port or prefix have in common. */
export interface Surface<Role, Caller> {
  /** Whether the caller may; when not, the problem has been sent. */
  authorize(request: Request, response: Response, role: Role): boolean;
  callerOf(request: Request): Caller;
  /** Reads the bytes of a body, for `bodyOf`. */
  bodyParser(bytesMax: number | undefined): RequestHandler;
  /** The body as JSON. @throws what the error handler of the surface turns into a response */
  bodyOf(request: Request): unknown;
  /** The response when a query or a body does not fit its schema. */
  refuseQuery(error: z.ZodError, schema: z.ZodObject): Problem;
  refuseBody(error: z.ZodError, schema: z.ZodType): Problem;
}

/** Serves the routes with Express. `refuseOtherMethods` goes behind all that is mounted on the same router. */
export function mountRoutes<Role, Caller, const Routes extends AnyRoutes<Role>>(
  router: Router,
  routes: Routes,
  surface: Surface<Role, Caller>,
  needs: NeedsOf<Routes>,
): void {
  for (const route of Object.values(routes as unknown as Readonly<Record<string, Route<Role, Caller, unknown>>>)) {
    const { method, path } = placeOf(route);
    router[method.toLowerCase() as "get"](expressPath(path), ...handlersOf(route, surface, needs));
  }
}

/** Responds to every method that a path does not have with 405 and those that it has. */
export function refuseOtherMethods(router: Router, routes: Readonly<Record<string, Pick<Route, "name">>>): void {
  const methods = new Map<string, Set<string>>();
  for (const { method, path } of Object.values(routes).map(placeOf)) {
    const known = methods.get(path) ?? new Set();
    methods.set(path, known.add(method));
    if (method === "GET") known.add("HEAD");
  }
  for (const [path, known] of methods)
    router.all(expressPath(path), refuseMethod([...known].toSorted(byUse).join(", ")));
}

const methodOrder = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

function byUse(one: string, other: string): number {
  return methodOrder.indexOf(one) - methodOrder.indexOf(other);
}

/** Responds to every method that the route does not have. */
export function refuseMethod(allow: string): RequestHandler {
  return (request, response) => {
    const detail = `${request.method} is not possible here; use ${allow}.`;
    const title = "Method not allowed";
    writeProblem(response, { status: 405, code: "api.method_not_allowed", title, detail }, { Allow: allow });
  };
}

/** `/tasks/{id}` as Express writes it: `/tasks/:id`. */
function expressPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}

const noQuery = z.strictObject({});

function handlersOf<Role, Caller, Needs>(
  route: Route<Role, Caller, Needs>,
  surface: Surface<Role, Caller>,
  needs: Needs,
): readonly RequestHandler[] {
  const { query: querySchema = noQuery, body: bodySchema } = route;
  const authorize: RequestHandler = (request, response, next) => {
    if (surface.authorize(request, response, route.role)) next();
  };
  const handle: RequestHandler = async (request, response) => {
    const query = readQuery(request, querySchema);
    if (!query.success) {
      writeProblem(response, surface.refuseQuery(query.error, querySchema));
      return;
    }
    let body: unknown;
    if (bodySchema !== undefined) {
      const given = surface.bodyOf(request);
      const role = route.roleOf?.(given);
      if (role !== undefined && !surface.authorize(request, response, role)) return;
      const schema = isChoice(bodySchema) ? bodySchema.pick(given) : bodySchema;
      const parsed = schema.safeParse(given);
      if (!parsed.success) {
        const named = isChoice(bodySchema) ? bodySchema.invalid : undefined;
        writeProblem(response, { ...surface.refuseBody(parsed.error, schema), ...named });
        return;
      }
      body = parsed.data;
    }
    const params = request.params as Readonly<Record<string, string>>;
    const caller = surface.callerOf(request);
    const reply = areValid(params, route)
      ? await route.handle({ params, query: query.data, body, caller, request, response }, needs)
      : null;
    write(response, route, params, reply as RouteResult);
  };
  const writeProblems: RequestHandler = async (request, response, next) => {
    try {
      await handle(request, response, next);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      writeProblem(response, error.problem);
    }
  };
  return bodySchema === undefined
    ? [authorize, writeProblems]
    : [authorize, surface.bodyParser(route.bodyBytesMax), writeProblems];
}

/** A parameter without a value, as forms send it, counts as not given. PostgreSQL would compare none with NUL in it. */
function readQuery(request: Request, schema: z.ZodObject) {
  const given = Object.entries(request.query).filter(([, value]) => value !== "");
  const withNul = given.filter(([, value]) => [value].flat().some((text) => String(text).includes("\0")));
  if (withNul.length === 0) return schema.safeParse(Object.fromEntries(given));
  const issues = withNul.map(([name, input]) => ({
    code: "custom" as const,
    path: [name],
    message: "must not contain a NUL",
    input,
  }));
  return { success: false as const, error: new z.ZodError(issues) };
}

export function isChoice(body: z.ZodType | BodyChoice): body is BodyChoice {
  return "alternatives" in body;
}

/** The usual parameter of a path. */
export const uuidParameter: PathParameter = {
  schema: { type: "string", format: "uuid" },
  isValid: (text) => idPattern.test(text),
};

/** What PostgreSQL can compare: a text of any kind without NUL. */
export const textParameter: PathParameter = { schema: { type: "string" }, isValid: (text) => !text.includes("\0") };

function areValid(params: Readonly<Record<string, string>>, { params: kinds = {} }: Pick<Route, "params">): boolean {
  return Object.entries(params).every(([name, text]) => (kinds[name] ?? uuidParameter).isValid(text));
}

function write(
  response: Response,
  route: Pick<Route, "name" | "responses">,
  params: Readonly<Record<string, string>>,
  reply: RouteResult,
): void {
  if (reply === null) {
    const missing = route.responses[404]?.missing;
    if (missing === undefined)
      throw new AppError("api.no_answer", `${route.name} has no response for what is missing.`);
    writeProblem(response, { status: 404, ...missing(Object.values(params).at(-1) ?? "") });
  } else if (typeof reply === "function") {
    reply(response);
  } else if ("code" in reply) {
    const { headers, ...refusal } = reply;
    writeProblem(response, refusal, headers);
  } else {
    response.status(reply.status ?? statusOf(route.responses));
    if (reply.headers !== undefined) response.set(reply.headers);
    if (reply.body === undefined) response.end();
    else response.json(reply.body);
  }
}

/** The success that the route describes; the first when there are several. */
function statusOf(responses: Route["responses"]): number {
  return Object.keys(responses)
    .map(Number)
    .find((status) => status < 300)!;
}
