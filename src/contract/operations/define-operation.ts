import { responseVersion } from "../envelope.ts";
import type { Operation } from "./operation.ts";

type Derived = "path" | "resendable";
type Defaulted = "optionalService" | "host" | "responseVersion";

/**
 * What differs between operations. By default every gateway has it, under the host of the others, and responds with the
 * version of all but the involuntary operations.
 */
type OperationDefinition<Query, Result, Request, Response> = Omit<
  Operation<Query, Result, Request, Response>,
  Derived | Defaulted
> &
  Partial<Pick<Operation, Defaulted>>;

/**
 * Operations with the same requests or responses spread the same members into it: `orderRequests`, `offerRequests`,
 * `responsesUnder`, … A call that changes nothing may be resent; any other may not while its outcome is unknown.
 */
export function defineOperation<Query, Result, Request, Response>(
  definition: OperationDefinition<Query, Result, Request, Response>,
): Operation<Query, Result, Request, Response> {
  const { name, readOnly } = definition;
  return {
    optionalService: false,
    host: "base",
    responseVersion,
    ...definition,
    path: `/${name}`,
    resendable: readOnly,
  };
}
