import { acknowledgementSchema, acknowledgeResponse } from "../acknowledgement.ts";
import { orderViewResponseSchema } from "../order-view-schema.ts";
import type { ApiDescription, ApiParts } from "./api-parts.ts";

const tag = "Notification";

/** @see interface document, "Events" */
export function describeNotification(parts: ApiParts, example: unknown): ApiDescription {
  return {
    tags: [{ name: tag, description: "The event that a gateway pushes." }],
    paths: {},
    webhooks: {
      orderChangeNotification: {
        post: {
          operationId: "orderChangeNotification",
          tags: [tag],
          summary: "An airline or booking system has changed an order involuntarily",
          description:
            "Sent to the endpoint that the agency has configured. Anything but HTTP 200 with this response counts as not delivered.",
          security: [{ recipientBasic: [] }, { recipientBearer: [] }, { recipientOAuth: [] }],
          requestBody: parts.body(orderViewResponseSchema, example),
          responses: {
            200: parts.response("Received and kept.", acknowledgementSchema, acknowledgeResponse()),
            "4XX": { description: "Not taken." },
            "5XX": { description: "Not taken." },
          },
        },
      },
    },
    securitySchemes: {
      recipientBasic: { type: "http", scheme: "basic", description: "What the agency configured at the gateway." },
      recipientBearer: { type: "http", scheme: "bearer", description: "What the agency configured at the gateway." },
      recipientOAuth: {
        type: "http",
        scheme: "bearer",
        bearerFormat: "JWT",
        description: "An access token from the token endpoint that the agency configured, by client credentials.",
      },
    },
  };
}
