import type { Request, Response } from "express";
import type { z } from "zod";
import type { Problem } from "./problem-document.ts";

/**
 * One route as one value: where it is, who may use it, what it takes and returns, and what it does. `mountRoutes` serves
 * it with Express, `describeRoutes` writes its part of the OpenAPI document, and `RouteTypes` gives clients its types.
 */
export interface Route<Role = string, Caller = never, Needs = never> {
  readonly name: RouteName;
  /** The least role that may use it. */
  readonly role: Role;
  /** The role that a body takes beside it, before anything else of the body is checked; undefined: no further one. */
  roleOf?(given: unknown): Role | undefined;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** What the parameters of the path look like; those that are not named here are UUIDs. */
  readonly params?: Readonly<Record<string, PathParameter>>;
  readonly query?: z.ZodObject | undefined;
  readonly body?: z.ZodType | BodyChoice | undefined;
  /** Longest body in bytes; not given, what the surface allows. */
  readonly bodyBytesMax?: number;
  /** By HTTP status. What every route of its surface may respond with is not repeated here. */
  readonly responses: Responses;
  handle(request: RouteRequest<unknown, unknown, unknown, Caller>, needs: Needs): unknown;
}

/** Method and path, below where the routes are mounted, with parameters in braces: `POST /tasks/{id}/close`. */
export type RouteName = `${"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} /${string}`;

/** The method and the path of a route's name. */
export function placeOf({ name }: Pick<Route, "name">): { readonly method: string; readonly path: string } {
  const [method = "", path = ""] = name.split(" ");
  return { method, path };
}

/** A parameter of a path: its JSON Schema, and which texts can be one. Others are reported as missing. */
export interface PathParameter {
  readonly schema: Readonly<Record<string, unknown>>;
  isValid(text: string): boolean;
}

/** A body that is one of several, and how to tell which: its problems are then told in the words of that one. */
export interface BodyChoice<Body = unknown, Input = Body> {
  readonly alternatives: readonly (z.ZodType | Readonly<Record<string, unknown>>)[];
  pick(given: unknown): z.ZodType<Body>;
  /** What clients may send; in types only. */
  readonly "~input"?: Input;
  /** What a body that does not fit is called, where the surface's own words would say too little. */
  readonly invalid?: Pick<Problem, "code" | "title">;
}

export type Responses = Readonly<Record<number, ResponseDescription>>;

export interface ResponseDescription {
  readonly description: string;
  /** The schema of a JSON body; not given: no body, or one of another type. */
  readonly schema?: z.ZodType | Readonly<Record<string, unknown>>;
  /** A body that is not JSON: its schema by media type. */
  readonly content?: Readonly<Record<string, z.ZodType | Readonly<Record<string, unknown>>>>;
  /** For a problem document: the values that its `code` may have; empty when they are too many to list. */
  readonly codes?: readonly string[];
  /** For 404: the problem of a route that returns null, from the last parameter of the path. */
  readonly missing?: (id: string) => Omit<Problem, "status">;
}

/** What a route is handed: everything is read and checked. */
export interface RouteRequest<Params, Query, Body, Caller> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly caller: Caller;
  readonly request: Request;
  readonly response: Response;
}

/** What a route returns: null stands for its 404, a function writes the response itself. */
export type RouteResult =
  | { readonly status?: number; readonly body?: unknown; readonly headers?: Headers }
  | (Problem & { readonly headers?: Headers })
  | ((response: Response) => void)
  | null;

type Headers = Readonly<Record<string, string>>;

type PathParameters<Name extends string> = Name extends `${string}{${infer Parameter}}${infer Rest}`
  ? { readonly [Key in Parameter]: string } & PathParameters<Rest>
  : unknown;

type OutputOf<Schema> =
  Schema extends BodyChoice<infer Body, unknown> ? Body : Schema extends z.ZodType ? z.output<Schema> : undefined;

/**
 * How the routes of one surface are written: its roles, and what is known of a caller.
 *
 * @example const route = routesFor<UserRole, Identity>();
 *   routes("Work", { listTasks: route("GET /tasks", "viewer", { summary, query, responses, handle }) })
 */
export function routesFor<Role, Caller>() {
  return <
    const Name extends RouteName,
    Result extends RouteResult | Promise<RouteResult>,
    Query extends z.ZodObject | undefined = undefined,
    Body extends z.ZodType | BodyChoice | undefined = undefined,
    Needs = unknown,
  >(
    name: Name,
    role: Role,
    route: Omit<Route<Role>, "name" | "role" | "tag" | "query" | "body" | "handle"> & {
      readonly query?: Query;
      readonly body?: Body;
      handle(
        request: RouteRequest<PathParameters<Name>, OutputOf<Query>, OutputOf<Body>, Caller>,
        needs: Needs,
      ): Result;
    },
  ) => ({ ...route, name, role });
}

/** The routes of one tag, by the ids of their operations. More in the constraint would change what `route` infers. */
export function routes<const Named extends Readonly<Record<string, Pick<Route, "name">>>>(tag: string, named: Named) {
  return Object.fromEntries(Object.entries(named).map(([id, route]) => [id, { ...route, tag }])) as {
    readonly [Id in keyof Named]: Named[Id] & { readonly tag: string };
  };
}

/** What a value is after it went through JSON: instants are ISO 8601 texts. */
export type Json<T> = T extends Date
  ? string
  : T extends readonly (infer Item)[]
    ? readonly Json<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Json<T[Key]> }
      : T;

/** A route whatever it takes, returns and needs. */
export interface AnyRoute<Role = unknown> extends Omit<Route<Role>, "handle" | "roleOf"> {
  handle(request: never, needs: never): unknown;
}

/** Routes by the ids of their operations. */
export type AnyRoutes<Role = unknown> = Readonly<Record<string, AnyRoute<Role>>>;

/** What the routes need to do their work, all of it. */
export type NeedsOf<Routes extends AnyRoutes> = UnionToIntersection<Parameters<Routes[keyof Routes]["handle"]>[1]>;

type UnionToIntersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

type QueryInput<Query> = Query extends z.ZodObject ? z.input<Query> : Record<never, never>;

type BodyInput<Body> = Body extends z.ZodType
  ? z.input<Body>
  : Body extends BodyChoice<unknown, infer Input>
    ? Input
    : never;

type ResponseBody<Result> = Result extends { readonly body: infer Body } ? Json<Body> : never;

/** What a client may call, by method and path: `"GET /tasks"`. For type-only imports. */
export type RouteTypes<Routes extends AnyRoutes> = {
  readonly [Id in keyof Routes as Routes[Id]["name"]]: {
    readonly params: { readonly [Key in keyof PathParameters<Routes[Id]["name"]>]: string };
    readonly query: keyof QueryInput<NonNullable<Routes[Id]["query"]>>;
    readonly body: BodyInput<NonNullable<Routes[Id]["body"]>>;
    readonly response: ResponseBody<Awaited<ReturnType<Routes[Id]["handle"]>>>;
  };
};

/** A successful response. */
export function success(description: string, schema?: ResponseDescription["schema"]): ResponseDescription {
  return schema === undefined ? { description } : { description, schema };
}

/** A problem document, and the values that its `code` may have. */
export function problem(description: string, ...codes: readonly string[]): ResponseDescription {
  return { description, codes };
}
