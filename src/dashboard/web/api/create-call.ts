import { type CallOf, type RouteType, requestOf } from "../../../http/call-route.ts";
import { type CallOptions, type SendToSide, safeToRepeat } from "./send-request.ts";

export type Routes<Types> = Readonly<Record<keyof Types, RouteType>>;

/** Calls a route by its name; rejects with an `ApiProblem`. */
export type CallRoute<Types extends Routes<Types>> = <Name extends keyof Types & string>(
  name: Name,
  input: CallOf<Types[Name]>,
  options?: CallOptions,
) => Promise<Types[Name]["response"]>;

/** @param repeatable changes that may be sent twice without harm */
export function createCall<Types extends Routes<Types>>(
  send: SendToSide,
  repeatable: readonly (keyof Types)[] = [],
): CallRoute<Types> {
  return async (name, input, options = repeatable.includes(name) ? safeToRepeat : {}) => {
    const { method, path, body } = requestOf(name, input as Parameters<typeof requestOf>[1]);
    const response = await send(method, path, body, options);
    return (response.status === 204 ? undefined : await response.json()) as Types[typeof name]["response"];
  };
}
