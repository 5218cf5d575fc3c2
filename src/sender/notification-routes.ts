import express, { type Router } from "express";
import { z } from "zod";
import type { ApiDescription, ApiParts } from "../contract/openapi/api-parts.ts";
import type { ClientAddressOf } from "../http/client-address.ts";
import { describeRoutes } from "../http/describe-routes.ts";
import { problem, type Responses, routes, routesFor, success } from "../http/route.ts";
import { sendStoredBody } from "../http/send-stored-body.ts";
import { givenNotificationRoutes, mountGivenNotifications, type NotificationNeeds } from "./given-notification.ts";
import {
  attemptFigures,
  type DeliveryBodies,
  type DeliveryOverview,
  type MissedNotifications,
  missedNotifications,
  type NotificationKind,
  notificationDelivery,
  notificationRecipient,
  recipientTraffic,
} from "./ports.ts";
import { missedSchema, notificationRequests, trafficQuerySchema } from "./recipient-requests.ts";
import {
  deliveriesTag,
  listOf,
  noSuch,
  type RecipientCaller,
  type RecipientNeeds,
  recipientRoutes,
  recipientsTag,
} from "./recipient-routes.ts";
import { describeUnreadable, mountRecipientRoutes, openAccess } from "./recipient-surface.ts";

const prefix = "/control";
const route = routesFor<null, RecipientCaller>();

type Needs = NotificationNeeds &
  RecipientNeeds<NotificationKind> & {
    readonly store: MissedNotifications & DeliveryOverview & DeliveryBodies;
    readonly addressOf: ClientAddressOf;
  };

export const notificationRoutes = {
  ...recipientRoutes(
    {
      prefix,
      requests: notificationRequests,
      recipient: notificationRecipient,
      delivery: notificationDelivery,
      show: (recipient) => recipient,
    },
    { read: null, change: null },
  ),
  ...routes(recipientsTag, {
    sendMissed: route("POST /recipients/{id}/missed", null, {
      summary: "Sends a recipient notifications that went to nobody",
      body: missedSchema.meta({ id: "MissedSince" }),
      responses: {
        201: success("`deliveries`: how many.", z.strictObject({ deliveries: z.int() })),
        404: noSuch("recipient", prefix, ", or it is removed"),
      },
      async handle({ params: { id }, body: { since } }, { store, logger }: Needs) {
        const deliveries = await store.sendMissed(id, since);
        if (deliveries === null) return null;
        logger.info({ recipientId: id, deliveries }, "recipient.missed_sent");
        return { body: { deliveries } };
      },
    }),
  }),
  ...routes(deliveriesTag, {
    readDeliveryBody: route("GET /deliveries/{id}/body", null, {
      summary: "The body of a delivery, as it is sent in each attempt",
      responses: {
        200: {
          description: "The stored bytes, as an attachment. They hold travellers' data, so each reading is logged.",
          content: { "application/json": {} },
        },
        404: noSuch("delivery", prefix),
        409: problem("The stored body cannot be decrypted.", "sender.body_unreadable"),
      },
      async handle({ params: { id }, request }, { store, addressOf, logger }: Needs) {
        const stored = await store.readDeliveryBody(id);
        if (stored === null) return null;
        if (stored.kind === "unreadable") {
          const { code, message } = stored.reason;
          return { status: 409, code, title: "The body cannot be read", detail: message };
        }
        // The control side has one token for everybody, so the address says most about who it was.
        logger.info(
          { address: addressOf(request), deliveryId: id, bodyBytes: stored.body.length },
          "delivery.body_read",
        );
        return sendStoredBody({ bytes: stored.body, contentType: "application/json" }, `delivery-${id}.json`);
      },
    }),
  }),
  ...routes(recipientsTag, {
    readMissed: route("GET /missed", null, {
      summary: "How many notifications went to nobody, and since when",
      responses: { 200: success("`count` and `oldestAt`.", missedNotifications) },
      async handle(_request, { store }: Needs) {
        return { body: await store.readMissed() };
      },
    }),
  }),
  ...routes(deliveriesTag, {
    readTraffic: route("GET /traffic", null, {
      summary: "What waits for each recipient, and what has ended since a time",
      query: trafficQuerySchema,
      responses: { 200: success("One for each recipient.", listOf(recipientTraffic)) },
      async handle({ query }, { store }: Needs) {
        return { body: { items: await store.readTraffic(query.since) } };
      },
    }),
    readAttemptFigures: route("GET /traffic/attempts", null, {
      summary: "How attempts ended since a time, and how long responses took, step by step",
      query: trafficQuerySchema,
      responses: { 200: success("`total`, and `steps` of `stepSeconds`, oldest first.", attemptFigures) },
      async handle({ query }, { store }: Needs) {
        return { body: await store.readAttemptFigures(query.since) };
      },
    }),
  }),
};

/** Mount it under `/control`, behind authentication. */
export function createRecipientRouter(needs: Needs): Router {
  const router = express.Router();
  mountGivenNotifications(router, needs);
  return mountRecipientRoutes(notificationRoutes, needs, openAccess, router);
}

/** @param common responses of the surrounding router */
export function describeRecipients(parts: ApiParts, common: Responses): ApiDescription {
  return {
    tags: [
      { name: recipientsTag, description: "Who is told of changes. Credentials go in and never come out." },
      { name: deliveriesTag, description: "Notifications on their way to recipients." },
    ],
    paths: describeRoutes(
      parts,
      { ...notificationRoutes, ...givenNotificationRoutes },
      {
        prefix,
        securityOf: () => [{ controlToken: [] }],
        commonResponses: (described) => ({ ...common, ...describeUnreadable(described) }),
      },
    ),
    securitySchemes: {
      controlToken: { type: "http", scheme: "bearer", description: "GATEWAY_CONTROL_TOKEN." },
    },
  };
}
