import type { ApiDescription, ApiParts } from "../../contract/openapi/api-parts.ts";
import type { Json } from "../../contract/openapi/schema-collection.ts";
import { type DescribedSurface, describeRoutes } from "../../http/describe-routes.ts";
import { deliveriesTag, type RecipientRoles, recipientsTag } from "../recipient-routes.ts";
import { describeUnreadable } from "../recipient-surface.ts";
import { eventRecipientRoutes } from "./event-router.ts";
import { outgoingEventSchema, pingSchema } from "./outgoing-event.ts";
import { eventDescriptions, outgoingEventTypes } from "./ports.ts";

const eventsTag = "Outgoing events";

export function describeEvents<Role>(
  parts: ApiParts,
  surface: DescribedSurface<Role>,
  roles: RecipientRoles<Role>,
): ApiDescription {
  const webhook = (type: string, summary: string, schema: Parameters<ApiParts["body"]>[0]): [string, Json] => [
    type,
    {
      post: {
        operationId: type,
        tags: [eventsTag],
        summary,
        description:
          "Signed by Standard Webhooks: `webhook-id`, `webhook-timestamp` and `webhook-signature`. Any 2xx is an acknowledgement.",
        security: [],
        requestBody: parts.body(schema),
        responses: { "2XX": { description: "Taken." }, "4XX": { description: "Not taken." } },
      },
    },
  ];
  return {
    tags: [
      {
        name: recipientsTag,
        description: "Systems that are sent the agency's own events.",
      },
      { name: deliveriesTag, description: "Events on their way to recipients." },
      { name: eventsTag, description: "What recipients are sent: ids and decisions, no passenger data." },
    ],
    paths: describeRoutes(parts, eventRecipientRoutes(roles), {
      ...surface,
      commonResponses: (route) => ({ ...surface.commonResponses(route), ...describeUnreadable(route) }),
    }),
    webhooks: Object.fromEntries([
      ...outgoingEventTypes.map((type) => webhook(type, eventDescriptions[type], outgoingEventSchema)),
      webhook("ping", "A person tests a recipient", pingSchema),
    ]),
    securitySchemes: {},
  };
}
