import { type ApiDescription, type ApiParts, pathParameter } from "../contract/openapi/api-parts.ts";
import type { Json } from "../contract/openapi/schema-collection.ts";
import {
  attemptQuerySchema,
  deliveryQuerySchema,
  missedSchema,
  newRecipientSchema,
  recipientChangeSchema,
  recipientQuerySchema,
  replayQuerySchema,
  replaySchema,
} from "./recipient-requests.ts";

const recipientsTag = "Recipients";
const deliveriesTag = "Deliveries";

const newRecipient = newRecipientSchema.meta({ id: "NewRecipient" });
const missed = missedSchema.meta({ id: "MissedSince" });
const replay = replaySchema.meta({ id: "NewReplay" });
const recipientChange = recipientChangeSchema.meta({ id: "RecipientChange" });

/** What is shown of a recipient, a delivery or an attempt: docs/sender.md says what is in it. */
const shown: Json = { type: "object" };
const list: Json = {
  type: "object",
  properties: { items: { type: "array", items: shown }, nextCursor: { type: ["string", "null"] } },
  required: ["items"],
};

const security = [{ controlToken: [] }];
const id = pathParameter("id", { type: "string", format: "uuid" });

/**
 * Describes the routes of `createRecipientRouter`, mounted at `/control`.
 *
 * @param common answers that whoever mounts the routes gives: without a token, and to what nobody foresaw.
 */
export function describeRecipients(parts: ApiParts, common: Json): ApiDescription {
  const { body, looseAnswer, parametersOf, problem } = parts;
  const invalid = problem("The query or the body is not what this takes, or too long.", ["sender.bad_request"]);
  const problems = { 400: invalid, ...common };
  const badUrl = problem("No notification could be sent to this URL; `code` says why.");
  const noRecipient = problem("There is no such recipient.", ["sender.recipient_not_found"]);
  const noDelivery = problem("There is no such delivery.", ["sender.delivery_not_found"]);
  const noReplay = problem("There is no such replay.", ["sender.replay_not_found"]);
  const tooLong = problem("The body is longer than 64 KiB.", ["sender.bad_request"]);
  return {
    tags: [
      { name: recipientsTag, description: "Who is told of changes. Credentials go in and never come out." },
      { name: deliveriesTag, description: "Notifications on their way to recipients." },
    ],
    paths: {
      "/control/recipients": {
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
          parameters: parametersOf(recipientQuerySchema),
          responses: { 200: looseAnswer("One page.", list), ...problems },
        },
      },
      "/control/recipients/{id}": {
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
            ...problems,
            404: noRecipient,
            413: tooLong,
          },
        },
      },
      "/control/recipients/{id}/test": {
        post: {
          operationId: "testRecipient",
          tags: [recipientsTag],
          summary: "Sends a recipient a test notification and answers what came of it",
          security,
          parameters: [id],
          responses: {
            200: looseAnswer("What came of it; nothing of it is kept.", shown),
            ...common,
            404: noRecipient,
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
      "/control/deliveries": {
        get: {
          operationId: "listDeliveries",
          tags: [deliveriesTag],
          summary: "Deliveries, newest first",
          security,
          parameters: parametersOf(deliveryQuerySchema),
          responses: { 200: looseAnswer("One page.", list), ...problems },
        },
      },
      "/control/deliveries/{id}/attempts": {
        get: {
          operationId: "listAttempts",
          tags: [deliveriesTag],
          summary: "Each HTTP request that was made for a delivery, newest first",
          security,
          parameters: [id, ...parametersOf(attemptQuerySchema)],
          responses: { 200: looseAnswer("The attempts.", list), ...problems, 404: noDelivery },
        },
      },
      "/control/deliveries/{id}/replay": {
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
      "/control/replays": {
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
      "/control/replays/{id}": {
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
    },
    securitySchemes: {},
  };
}
