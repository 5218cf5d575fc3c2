import type { z } from "zod";
import type { Envelope } from "../envelope.ts";
import { exampleEnvelope } from "../examples/envelope.ts";
import type { Interpretation, Operation, OperationName, ReadRequest } from "./operation.ts";

/** What tells one operation from the others. Its members are those of `Operation`. */
interface OperationDefinition<Query, Result, Request, Response> {
  readonly name: OperationName;
  readonly summary: string;
  /** A call that changes nothing may be sent again; any other never, as long as its outcome is not known. */
  readonly readOnly: boolean;
  /** Default: every gateway has it. */
  readonly optionalService?: boolean;
  /** Default: the gateway's own host. */
  readonly host?: "void";

  readonly requestRoot: string;
  readonly requestSchema: z.ZodType<Request>;
  request(query: Query, envelope: Envelope): NoInfer<Request>;
  readRequest(json: unknown): ReadRequest<Query>;

  readonly responseRoot: string;
  readonly responseSchema: z.ZodType<Response>;
  interpret(json: unknown): Interpretation<Result>;

  readonly example: { readonly query: NoInfer<Query>; readonly response: NoInfer<Response> };
}

/**
 * An operation from what is its own. Operations that ask or respond alike spread the same members into it:
 * `orderRequests`, `offerRequests`, `responsesUnder`, …
 */
export function defineOperation<Query, Result, Request, Response>(
  definition: OperationDefinition<Query, Result, Request, Response>,
): Operation<Query, Result, Request, Response> {
  const { name, readOnly, optionalService = false, host = "base", example, ...rest } = definition;
  const examples = { ...example, request: definition.request(example.query, exampleEnvelope) };
  return { ...rest, name, path: `/${name}`, readOnly, resendable: readOnly, optionalService, host, examples };
}
