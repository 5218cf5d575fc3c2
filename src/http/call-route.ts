/** What a client needs to know of a route, as `RouteTypes` has it. */
export interface RouteType {
  readonly params: object;
  readonly query: PropertyKey;
  readonly body: unknown;
  readonly response: unknown;
}

/** Parameters of a query; those that are null, undefined or empty are left out. */
type QueryOf<Name extends PropertyKey> = { readonly [Key in Name]?: string | number | boolean | null | undefined };

/** What a call of the route takes. */
export type CallOf<Type extends RouteType> = (keyof Type["params"] extends never
  ? unknown
  : { readonly params: Type["params"] }) &
  ([Type["query"]] extends [never] ? unknown : { readonly query?: QueryOf<Type["query"]> }) &
  ([Type["body"]] extends [never] ? unknown : { readonly body: Type["body"] });

/** How a client calls routes: `call("GET /cases/{id}", { params: { id } })`. */
export type Call<Types extends Readonly<Record<keyof Types, RouteType>>> = <Name extends keyof Types>(
  name: Name,
  input: CallOf<Types[Name]>,
) => Promise<Types[Name]["response"]>;

/** A route as clients name it, and what it takes: a request that is ready to be sent below the prefix of the routes. */
export function requestOf(
  route: string,
  call: {
    readonly params?: Readonly<Record<string, string>>;
    readonly query?: QueryOf<string>;
    readonly body?: unknown;
  },
): { readonly method: string; readonly path: string; readonly body: unknown } {
  const [method = "", pattern = ""] = route.split(" ");
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(call.params?.[name] ?? ""));
  const given = Object.entries(call.query ?? {}).flatMap(([name, value]) =>
    value === null || value === undefined || value === "" ? [] : [[name, String(value)] as [string, string]],
  );
  const search = given.length === 0 ? "" : `?${new URLSearchParams(given).toString()}`;
  return { method, path: `${path}${search}`, body: call.body };
}
