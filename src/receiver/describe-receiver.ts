import { z } from "zod";
import { acknowledgementSchema, acknowledgeResponse } from "../contract/acknowledgement.ts";
import { type ApiDescription, type ApiParts, pathParameter } from "../contract/openapi/api-parts.ts";
import type { Json } from "../contract/openapi/schema-collection.ts";
import { describeProblem, type ReceiverErrorCode, receiverErrors } from "./receiver-problems.ts";
import type { OAuthErrorCode } from "./token-endpoint/token-errors.ts";
import { definitionOf, wayKinds } from "./ways.ts";

const securitySchemes: Json = Object.assign({}, ...wayKinds.map((kind) => definitionOf({ kind }).securitySchemes));

const pushTag = "Push";
const oauthTag = "Access tokens";

export function describeReceiver(parts: ApiParts): ApiDescription {
  const push = (operationId: string, summary: string, parameters: readonly Json[]): Json => ({
    post: {
      operationId,
      tags: [pushTag],
      summary,
      description:
        "Gets 200 only after the notification is committed; identical bytes count as one notification. A body that is refused with 400, 415 or 422 and a `notificationId` is kept in quarantine, and `detail` says what is wrong with it and where.",
      security: Object.keys(securitySchemes).map((name) => ({ [name]: [] })),
      ...(parameters.length === 0 ? {} : { parameters }),
      requestBody: {
        required: true,
        description:
          "An order view with at least one `Order` that has an `OrderID`, inside `OrderViewRS` or not, or a list of several. Gateways send it as the webhook `orderChangeNotification` shows; every variation that can be read is taken. JSON is read whatever the media type or a wrong content encoding says.",
        content: { "application/json": { schema: { type: "object" } } },
      },
      responses: {
        200: parts.response("Committed, or known already.", acknowledgementSchema, acknowledgeResponse()),
        ...describePushProblems(parts),
      },
    },
  });
  return {
    tags: [
      { name: pushTag, description: "Where gateways push notifications." },
      {
        name: oauthTag,
        description:
          "The built-in token endpoint, for gateways that push with OAuth; there when a source has clients of it.",
      },
    ],
    paths: {
      "/ocn": push("push", "Takes a notification of the default source", []),
      "/ocn/{source}": push("pushToSource", "Takes a notification of a named source", [pathParameter("source")]),
      "/oauth/token": describeTokenEndpoint(parts),
      "/oauth/jwks.json": describeKeySet(parts),
    },
    securitySchemes: {
      ...securitySchemes,
      clientBasic: {
        type: "http",
        scheme: "basic",
        description: "Client id and secret, each form-encoded (RFC 6749 section 2.3.1).",
      },
    },
  };
}

const contentCodes: Readonly<Record<string, readonly string[]>> = {
  400: ["ocn.not_json"],
  422: [
    "ocn.not_an_order_view",
    "ocn.no_order",
    "ocn.no_order_id",
    "ocn.invisible_characters",
    "ocn.stated_twice",
    "ocn.too_complex",
    "ocn.too_many_orders",
  ],
};

function describePushProblems(parts: ApiParts): Json {
  const codes = Object.values(receiverErrors).filter((code) => code !== receiverErrors.bodyAborted);
  const byStatus = new Map<number, ReceiverErrorCode[]>();
  for (const code of codes) {
    const { status } = describeProblem(code).problem;
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const titles = codes.map((code) => describeProblem(code).problem.title);
      return [status, parts.problem(`${titles.join(", or: ")}.`, [...(contentCodes[status] ?? []), ...codes])];
    }),
  );
}

const tokenRequest = z
  .strictObject({
    grant_type: z.literal("client_credentials"),
    scope: z
      .string()
      .optional()
      .meta({ description: "Separated by blanks; all that the client may have unless given." }),
    resource: z.string().optional().meta({ description: "RFC 8707: the URL to push to." }),
    client_id: z.string().optional(),
    client_secret: z
      .string()
      .optional()
      .meta({ description: "With client_id, in the place of the Authorization header." }),
    client_assertion_type: z.literal("urn:ietf:params:oauth:client-assertion-type:jwt-bearer").optional(),
    client_assertion: z.string().optional().meta({ description: "A JWT of the client, RFC 7523." }),
  })
  .meta({ id: "TokenRequest", description: "RFC 6749 section 4.4.2. A client authenticates in exactly one way." });

const tokenResponse = z
  .strictObject({
    access_token: z.string().meta({ description: "A JWT as of RFC 9068." }),
    token_type: z.literal("Bearer"),
    expires_in: z.int().meta({ description: "Seconds." }),
    scope: z.string(),
  })
  .meta({ id: "AccessToken" });

const oauthErrorCodes = [
  "invalid_request",
  "invalid_client",
  "unsupported_grant_type",
  "invalid_scope",
  "invalid_target",
  "temporarily_unavailable",
] as const satisfies readonly OAuthErrorCode[];

const tokenError = z
  .strictObject({ error: z.enum(oauthErrorCodes), error_description: z.string() })
  .meta({ id: "OAuthError", description: "RFC 6749 section 5.2." });

const keySet = z
  .strictObject({ keys: z.array(z.looseObject({ kty: z.string(), kid: z.string(), alg: z.string() })) })
  .meta({ id: "KeySet", description: "RFC 7517." });

function describeTokenEndpoint({ response, schemaOf }: ApiParts): Json {
  return {
    post: {
      operationId: "issueToken",
      tags: [oauthTag],
      summary: "Issues an access token to a client",
      security: [{ clientBasic: [] }, {}],
      requestBody: {
        required: true,
        content: { "application/x-www-form-urlencoded": { schema: schemaOf(tokenRequest, "input") } },
      },
      responses: {
        200: response("The token.", tokenResponse),
        400: response("The request is not what this takes.", tokenError),
        401: response("The client is not known, or did not prove itself.", tokenError),
        408: response("The body did not arrive.", tokenError),
        413: response("The body is longer than 32 KiB.", tokenError),
        429: response("Too many tokens or failures; try again after Retry-After.", tokenError),
        503: response("No token can be issued now; try again after Retry-After.", tokenError),
      },
    },
  };
}

function describeKeySet({ response, schemaOf }: ApiParts): Json {
  return {
    get: {
      operationId: "readKeySet",
      tags: [oauthTag],
      summary: "The public keys of the tokens that are issued here",
      security: [],
      responses: {
        200: {
          description: "The keys.",
          content: { "application/jwk-set+json": { schema: schemaOf(keySet) } },
        },
        503: response("The keys cannot be read now; try again after Retry-After.", tokenError),
      },
    },
  };
}
