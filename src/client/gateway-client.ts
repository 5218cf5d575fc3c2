import type { Operation, OperationName, QueryOptions } from "../contract/operations/operation.ts";
import { type Operations, operations } from "../contract/operations/registry.ts";
import { type CallableOperation, type CallOptions, type CallResult, createCaller } from "./call-operation.ts";
import type { GatewayClientOptions } from "./client-options.ts";

export type QueryOf<Name extends keyof Operations> =
  Operations[Name] extends Operation<infer Query, infer _Result, infer _Request, infer _Response> ? Query : never;

export type ResultOf<Name extends keyof Operations> =
  Operations[Name] extends Operation<infer _Query, infer Result, infer _Request, infer _Response> ? Result : never;

/** One call per operation of the registry. */
export type GatewayCalls = {
  readonly [Name in keyof Operations as Uncapitalize<Name>]: (
    query: QueryOf<Name>,
    options?: CallOptions,
  ) => Promise<CallResult<ResultOf<Name>>>;
};

/** Calls reject with a `GatewayError`, whose `phase` says whether the gateway can have acted. */
export interface GatewayClient extends GatewayCalls {
  close(): Promise<void>;
}

/**
 * Connects with the first call. A change is sent once; only after HTTP 401, which refuses it, it is sent again with a
 * renewed token.
 * @example
 * const client = createGatewayClient({ baseUrl, accessToken: new Secret(token), apiKey: new Secret(key) });
 * const { result } = await client.airReservationStatus({ orderId: "QX7R2M1A", gdsBookingReferences: ["LHSKD1"] });
 */
export function createGatewayClient(options: GatewayClientOptions): GatewayClient {
  const caller = createCaller(options);
  const all: readonly CallableOperation<object, unknown>[] = Object.values(operations);
  const calls = all.map((operation) => [
    methodOf(operation.name),
    (query: QueryOptions, callOptions?: CallOptions) => caller.call(operation, query, callOptions),
  ]);
  // The lines above add every method of the type.
  return { ...(Object.fromEntries(calls) as GatewayCalls), close: () => caller.close() };
}

function methodOf(name: OperationName): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}
