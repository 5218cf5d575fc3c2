import type { z } from "zod";
import { type ApiDescription, type ApiParts, pathParameter } from "../contract/openapi/api-parts.ts";
import type { Json } from "../contract/openapi/schema-collection.ts";
import { attemptQuerySchema, replayQuerySchema } from "./recipient-fields.ts";
import {
  deliveryQuerySchema,
  missedSchema,
  newRecipientSchema,
  recipientChangeSchema,
  recipientQuerySchema,
  replaySchema,
  trafficQuerySchema,
} from "./recipient-requests.ts";

export const recipientsTag = "Recipients";
export const deliveriesTag = "Deliveries";

const missed = missedSchema.meta({ id: "MissedSince" });

/** What is shown of a recipient, a delivery or an attempt: docs/sender.md says what is in it. */
const shown: Json = { type: "object" };
const list: Json = {
  type: "object",
  properties: { items: { type: "array", items: shown }, nextCursor: { type: ["string", "null"] } },
  required: ["items"],
};

const id = pathParameter("id", { type: "string", format: "uuid" });

/**
 * Describes the routes of `createRecipientRouter`, mounted at `/control`.
 *
 * @param common answers that whoever mounts the routes gives: without a token, and to what nobody foresaw.
 */
export function describeRecipients(parts: ApiParts, common: Json): ApiDescription {
  const { body, looseAnswer, parametersOf, problem } = parts;
  const security = [{ controlToken: [] }];
  return {
    tags: [
      { name: recipientsTag, description: "Who is told of changes. Credentials go in and never come out." },
      { name: deliveriesTag, description: "Notifications on their way to recipients." },
    ],
    paths: {
      ...describeRecipientRoutes(parts, {
        prefix: "/control",
        security,
        common,
        newRecipient: newRecipientSchema.meta({ id: "NewRecipient" }),
        recipientChange: recipientChangeSchema.meta({ id: "RecipientChange" }),
        recipientQuery: recipientQuerySchema,
        deliveryQuery: deliveryQuerySchema,
        replay: replaySchema.meta({ id: "NewReplay" }),
      }),
      "/control/recipients/{id}/missed": {
        post: {
          operationId: "sendMissed",
          tags: [recipientsTag],
          summary: "Sends a recipient notifications that went to nobody",
          security,
          parameters: [id],
          requestBody: body(missed),
          responses: {
            201: looseAnswer("`deliveries`: how many.", shown),
            400: describeInvalid(parts),
            ...common,
            404: problem("There is no such recipient.", ["sender.recipient_not_found"]),
            413: describeTooLong(parts),
          },
        },
      },
      "/control/missed": {
        get: {
          operationId: "readMissed",
          tags: [recipientsTag],
          summary: "How many notifications went to nobody, and since when",
          security,
          responses: { 200: looseAnswer("`count` and `oldestAt`.", shown), ...common },
        },
      },
      "/control/traffic": {
        get: {
          operationId: "readTraffic",
          tags: [deliveriesTag],
          summary: "What waits for each recipient, and what has ended since a time",
          security,
          parameters: parametersOf(trafficQuerySchema),
          responses: { 200: looseAnswer("One for each recipient.", list), 400: describeInvalid(parts), ...common },
        },
      },
    },
    securitySchemes: {},
  };
}

/** Where the routes of `createRecipientRoutes` are mounted, and what they take. */
export interface MountedRecipientRoutes {
  readonly prefix: string;
  readonly security: readonly Json[];
  /** Answers that whoever mounts the routes gives. */
  readonly common: Json;
  readonly newRecipient: z.ZodType;
  readonly recipientChange: z.ZodType;
  readonly recipientQuery: z.ZodObject;
  readonly deliveryQuery: z.ZodObject;
  readonly replay: z.ZodType;
}

/** Describes the routes that recipients have, whatever they are sent. */
export function describeRecipientRoutes(parts: ApiParts, mounted: MountedRecipientRoutes): Json {
  const { body, looseAnswer, parametersOf, problem } = parts;
  const { prefix, security, common, newRecipient, recipientChange, recipientQuery, deliveryQuery, replay } = mounted;
  const problems = { ...common, 400: describeInvalid(parts) };
  const badUrl = problem("Nothing could be sent to this URL; `code` says why.");
  const noRecipient = problem("There is no such recipient.", ["sender.recipient_not_found"]);
  const noDelivery = problem("There is no such delivery.", ["sender.delivery_not_found"]);
  const noReplay = problem("There is no such replay.", ["sender.replay_not_found"]);
  const tooLong = describeTooLong(parts);
  return {
    [`${prefix}/recipients`]: {
      post: {
        operationId: "addRecipient",
        tags: [recipientsTag],
        summary: "Adds a recipient",
        security,
        requestBody: body(newRecipient),
        responses: { 201: looseAnswer("The recipient.", shown), ...problems, 413: tooLong, 422: badUrl },
      },
      get: {
        operationId: "listRecipients",
        tags: [recipientsTag],
        summary: "Recipients, newest first",
        security,
        parameters: parametersOf(recipientQuery),
        responses: { 200: looseAnswer("One page.", list), ...problems },
      },
    },
    [`${prefix}/recipients/{id}`]: {
      get: {
        operationId: "readRecipient",
        tags: [recipientsTag],
        summary: "One recipient",
        security,
        parameters: [id],
        responses: { 200: looseAnswer("The recipient.", shown), ...common, 404: noRecipient },
      },
      patch: {
        operationId: "changeRecipient",
        tags: [recipientsTag],
        summary: "Changes, pauses or resumes a recipient",
        security,
        parameters: [id],
        requestBody: body(recipientChange),
        responses: {
          200: looseAnswer("The recipient.", shown),
          ...problems,
          404: noRecipient,
          413: tooLong,
          422: badUrl,
        },
      },
      delete: {
        operationId: "removeRecipient",
        tags: [recipientsTag],
        summary: "Removes a recipient; what is pending for it becomes dead",
        security,
        parameters: [id],
        responses: { 204: { description: "Removed." }, ...common, 404: noRecipient },
      },
    },
    [`${prefix}/recipients/{id}/test`]: {
      post: {
        operationId: "testRecipient",
        tags: [recipientsTag],
        summary: "Sends a recipient a test and answers what came of it",
        security,
        parameters: [id],
        responses: {
          200: looseAnswer("What came of it; nothing of it is kept.", shown),
          ...common,
          404: noRecipient,
        },
      },
    },
    [`${prefix}/deliveries`]: {
      get: {
        operationId: "listDeliveries",
        tags: [deliveriesTag],
        summary: "Deliveries, newest first",
        security,
        parameters: parametersOf(deliveryQuery),
        responses: { 200: looseAnswer("One page.", list), ...problems },
      },
    },
    [`${prefix}/deliveries/{id}`]: {
      get: {
        operationId: "readDelivery",
        tags: [deliveriesTag],
        summary: "One delivery",
        security,
        parameters: [id],
        responses: { 200: looseAnswer("The delivery.", shown), ...common, 404: noDelivery },
      },
    },
    [`${prefix}/deliveries/{id}/attempts`]: {
      get: {
        operationId: "listAttempts",
        tags: [deliveriesTag],
        summary: "Each HTTP request that was made for a delivery, newest first",
        security,
        parameters: [id, ...parametersOf(attemptQuerySchema)],
        responses: { 200: looseAnswer("The attempts.", list), ...problems, 404: noDelivery },
      },
    },
    [`${prefix}/deliveries/{id}/replay`]: {
      post: {
        operationId: "replayDelivery",
        tags: [deliveriesTag],
        summary: "Sends the same bytes once more, as a new delivery",
        security,
        parameters: [id],
        responses: {
          201: looseAnswer("`delivery`, and `newerNotifications` of the same order.", shown),
          ...common,
          404: noDelivery,
          409: problem("The recipient is removed, and its credentials with it.", ["sender.recipient_removed"]),
        },
      },
    },
    [`${prefix}/replays`]: {
      post: {
        operationId: "replayDeliveries",
        tags: [deliveriesTag],
        summary: "Sends many deliveries once more, or counts them only",
        security,
        requestBody: body(replay),
        responses: {
          200: looseAnswer("With `preview`: `total`, and `afterNewer` of the same orders.", shown),
          201: looseAnswer("The replay, and `afterNewer`.", shown),
          ...problems,
          413: tooLong,
        },
      },
      get: {
        operationId: "listReplays",
        tags: [deliveriesTag],
        summary: "Replays of many deliveries, newest first",
        security,
        parameters: parametersOf(replayQuerySchema),
        responses: { 200: looseAnswer("The replays.", list), ...problems },
      },
    },
    [`${prefix}/replays/{id}`]: {
      get: {
        operationId: "readReplay",
        tags: [deliveriesTag],
        summary: "One replay of many deliveries, with how far it got",
        security,
        parameters: [id],
        responses: { 200: looseAnswer("The replay.", shown), ...common, 404: noReplay },
      },
      delete: {
        operationId: "cancelReplay",
        tags: [deliveriesTag],
        summary: "Stops a replay where it is",
        security,
        parameters: [id],
        responses: { 200: looseAnswer("The replay.", shown), ...common, 404: noReplay },
      },
    },
  };
}

function describeInvalid({ problem }: ApiParts): Json {
  return problem("The query or the body is not what this takes, or too long.", ["sender.bad_request"]);
}

function describeTooLong({ problem }: ApiParts): Json {
  return problem("The body is longer than 64 KiB.", ["sender.bad_request"]);
}
