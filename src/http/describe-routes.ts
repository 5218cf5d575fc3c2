import type { z } from "zod";
import { type ApiParts, pathParameter } from "../contract/openapi/api-parts.ts";
import type { Json } from "../contract/openapi/schema-collection.ts";
import { isChoice, uuidParameter } from "./mount-routes.ts";
import { placeOf, type ResponseDescription, type Responses, type Route } from "./route.ts";

/** What the descriptions of all routes of one surface have in common. */
export interface DescribedSurface<Role> {
  /** Where they are mounted: `/api/v1`. */
  readonly prefix: string;
  /** How callers prove who they are, in the form of OpenAPI. */
  securityOf(role: Role): readonly Json[];
  /** What the route may respond with that it does not name itself. */
  commonResponses(route: DescribedRoute<Role>): Responses;
  /** Whether a body must be there; usually it must. */
  readonly bodyRequired?: boolean;
  /** Added to the summary: which role the route takes. */
  readonly noteOf?: (role: Role) => string;
}

export type DescribedRoute<Role> = Omit<Route<Role>, "handle">;

/** The `paths` of the routes in an OpenAPI document. */
export function describeRoutes<Role>(
  parts: ApiParts,
  routes: Readonly<Record<string, DescribedRoute<Role>>>,
  surface: DescribedSurface<Role>,
): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const [operationId, route] of Object.entries(routes)) {
    const { method, path } = placeOf(route);
    const item = (paths[`${surface.prefix}${path}`] ??= {});
    item[method.toLowerCase()] = { operationId, ...describeRoute(parts, route, path, surface) };
  }
  return paths;
}

function describeRoute<Role>(
  parts: ApiParts,
  route: DescribedRoute<Role>,
  path: string,
  surface: DescribedSurface<Role>,
): Json {
  const parameters = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) =>
      pathParameter(name!, (route.params?.[name!] ?? uuidParameter).schema),
    ),
    ...(route.query === undefined ? [] : parts.parametersOf(route.query)),
  ];
  return {
    tags: [route.tag],
    summary: `${route.summary}${surface.noteOf?.(route.role) ?? ""}`,
    ...(route.description === undefined ? {} : { description: route.description }),
    security: surface.securityOf(route.role),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === undefined ? {} : { requestBody: describeBody(parts, route.body, surface.bodyRequired ?? true) }),
    responses: describeResponses(parts, { ...surface.commonResponses(route), ...route.responses }),
  };
}

function describeBody(parts: ApiParts, body: NonNullable<Route["body"]>, required: boolean): Json {
  const schemas = (isChoice(body) ? body.alternatives : [body]).map((each) => toSchema(parts, each, "input"));
  const schema = schemas.length === 1 ? schemas[0]! : { anyOf: schemas };
  return { required, content: { "application/json": { schema } } };
}

/** The `responses` of a route. */
export function describeResponses(parts: ApiParts, responses: Responses): Json {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [status, describeResponse(parts, response)]),
  );
}

function describeResponse(parts: ApiParts, { description, schema, content, codes }: ResponseDescription): Json {
  if (codes !== undefined) return parts.problem(description, codes);
  const types = schema === undefined ? content : { "application/json": schema };
  if (types === undefined) return { description };
  return {
    description,
    content: Object.fromEntries(
      Object.entries(types).map(([type, each]) => [type, { schema: toSchema(parts, each, "output") }]),
    ),
  };
}

function toSchema(parts: ApiParts, schema: z.ZodType | Json, io: "input" | "output"): Json {
  return isZodType(schema) ? parts.schemaOf(schema, io) : schema;
}

function isZodType(schema: z.ZodType | Json): schema is z.ZodType {
  return "_zod" in schema;
}
