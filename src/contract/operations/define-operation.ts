import type { z } from "zod";
import { type Envelope, responseVersion } from "../envelope.ts";
import type { Interpretation, Operation, OperationName, ReadRequest } from "./operation.ts";

/** What differs between operations. For the members see `Operation`. */
interface OperationDefinition<Query, Result, Request, Response> {
  readonly name: OperationName;
  readonly summary: string;
  /** A call that changes nothing may be resent; any other may not while its outcome is unknown. */
  readonly readOnly: boolean;
  /** Default: every gateway has it. */
  readonly optionalService?: boolean;
  /** Default: the host of the other operations. */
  readonly host?: "void";

  readonly queryLists: readonly string[];
  readonly requestRoot: string;
  readonly requestSchema: z.ZodType<Request>;
  request(query: Query, envelope: Envelope): NoInfer<Request>;
  readRequest(json: unknown): ReadRequest<Query>;

  readonly responseRoot: string;
  /** Default: that of all but the involuntary operations. */
  readonly responseVersion?: string;
  readonly responseSchema: z.ZodType<Response>;
  interpret(json: unknown): Interpretation<Result>;
}

/**
 * Operations with the same requests or responses spread the same members into it: `orderRequests`, `offerRequests`,
 * `responsesUnder`, …
 */
export function defineOperation<Query, Result, Request, Response>(
  definition: OperationDefinition<Query, Result, Request, Response>,
): Operation<Query, Result, Request, Response> {
  const { name, readOnly, optionalService = false, host = "base", ...rest } = definition;
  return { responseVersion, ...rest, name, path: `/${name}`, readOnly, resendable: readOnly, optionalService, host };
}
