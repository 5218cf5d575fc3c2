import { z } from "zod";
import { businessCodes } from "../business-codes.ts";
import { documentSchema, partySchema } from "../envelope.ts";
import { errorResponse } from "../gateway-errors.ts";
import type { Operation, OperationName } from "../operations/operation.ts";
import { operations } from "../operations/registry.ts";
import type { ApiDescription, ApiParts } from "./api-parts.ts";
import type { Json } from "./schema-collection.ts";

const tag = "Operations";

/** Stands under the response root instead of a result, as `errorResponse` writes it. */
export const gatewayErrors = z
  .strictObject({
    Document: documentSchema.optional(),
    Party: partySchema.optional(),
    Errors: z.strictObject({
      Error: z.strictObject({
        Code: z
          .string()
          .optional()
          .meta({ description: "Number of the table of business codes, else the HTTP status." }),
        Value: z.string().meta({ description: "What is wrong, for people." }),
        ShortText: z.string().meta({ description: "The same." }),
      }),
    }),
  })
  .meta({
    id: "GatewayErrors",
    description:
      "Why there is no result. The interface document shows no error body; gateways of the family send this. Skedchange's own gateway puts Document and Party before it, as in every response under a root.",
  });

/** Returns a body of `src/contract/examples`. */
type ExampleOf = (name: OperationName, part: "request" | "response") => unknown;

/** @see interface document, "Endpoints" */
export function describeOperations(parts: ApiParts, exampleOf: ExampleOf): ApiDescription {
  return {
    tags: [{ name: tag, description: `The operations of the gateway. ${businessCodesText()}` }],
    paths: Object.fromEntries(
      (Object.values(operations) as unknown as readonly Operation[]).map((operation) => [
        operation.path,
        { post: describeOperation(operation, parts, exampleOf) },
      ]),
    ),
    parameters,
    securitySchemes: {
      accessToken: {
        type: "apiKey",
        in: "header",
        name: "Authorization",
        description: "The access token alone, without a scheme such as Bearer.",
      },
      apiKey: {
        type: "apiKey",
        in: "header",
        name: "x-api-key",
        description: "The API key, at gateways that ask for one.",
      },
    },
  };
}

function describeOperation(operation: Operation, parts: ApiParts, exampleOf: ExampleOf): Json {
  const refused = (description: string, code: string, text: string, around = underAnyRoot): Json => ({
    description,
    content: {
      "application/json": {
        schema: around(parts.schemaOf(gatewayErrors)),
        example: errorResponse("OrderViewRS", { code, text }),
      },
    },
  });
  return {
    operationId: operation.name,
    tags: [tag],
    summary: operation.summary.replace(/\.$/, ""),
    description: describeKind(operation),
    // The viewer shows the first header of each.
    security: [{ apiKey: [], accessToken: [] }, { accessToken: [] }],
    parameters: Object.keys(parameters).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: parts.body(operation.requestSchema, exampleOf(operation.name, "request")),
    responses: {
      200: parts.response("The result.", operation.responseSchema, exampleOf(operation.name, "response")),
      400: refused("The request cannot be used: malformed, incomplete or outside the limits.", "29", malformed),
      401: refused("The access token or the API key is missing or wrong.", "401", notAuthorized),
      404: refused(
        "The gateway has no such order or booking reference, or is without the operation; then no root stands around Errors.",
        "404",
        "There is no order QX7.",
        underAnyRootOrNone,
      ),
      413: refused("The request is too long.", "413", "The request is longer than 262144 bytes."),
      415: refused("The Content-Encoding is not known.", "415", "The request cannot be read."),
      500: refused("The gateway, or the airline behind it, failed.", "10", "SERVER_ERROR"),
    },
  };
}

const malformed = "The request names no OrderID.";
const notAuthorized = "The Authorization header does not hold a valid access token.";

/** The parameters of every operation. */
const parameters = {
  AcceptEncoding: {
    name: "Accept-Encoding",
    in: "header",
    required: false,
    description: "How the response may be compressed.",
    schema: { type: "string" },
    example: "gzip, deflate, br",
  },
  Prefer: {
    name: "Prefer",
    in: "header",
    required: false,
    description:
      "Skedchange's own gateway: `handling=strict` refuses every request that is not exactly as described here, `handling=lenient` takes what gateways are known to accept.",
    schema: { type: "string" },
    example: "handling=strict",
  },
};

function describeKind({ readOnly, resendable, optionalService, host, requestRoot, responseRoot }: Operation): string {
  return [
    "Needs the header `Authorization` with the access token, and `x-api-key` at gateways that ask for it.",
    `Request root \`${requestRoot}\`, response root \`${responseRoot}\`.`,
    readOnly ? "Changes nothing at the gateway." : "Changes the order.",
    resendable
      ? "May be sent again when the outcome of an earlier sending is not known."
      : "Must not be sent again while the outcome of an earlier sending is not known.",
    ...(optionalService ? ["Optional service: a gateway may be without it."] : []),
    ...(host === "void" ? ["The interface document shows it under a host of its own."] : []),
  ].join(" ");
}

/** Describes each response once for all operations, whatever its root is. */
function underAnyRoot(schema: Json): Json {
  const description = "One member: the response root of the operation.";
  return { type: "object", description, minProperties: 1, maxProperties: 1, additionalProperties: schema };
}

function underAnyRootOrNone(schema: Json): Json {
  return { anyOf: [underAnyRoot(schema), schema] };
}

function businessCodesText(): string {
  const codes = businessCodes.map(({ number, names }) => `${number} ${names.join(" / ")}`);
  return `Business codes: ${codes.join(", ")}.`;
}
