import { z } from "zod";
import { visibleText } from "../../http/visible-text.ts";
import { deliveryStates } from "../ports.ts";
import {
  anyDeliverySchema,
  anyResendSchema,
  authorizationSchema,
  limitsSchema,
  newRecipientBody,
  pageSchema,
  recipientChangeBody,
  signingSecretsSchema,
  toNewRecipient,
  toRecipientChange,
  withoutUndefined,
} from "../recipient-fields.ts";
import type { RecipientRequests } from "../recipient-requests.ts";
import { type EventKind, outgoingEventTypes } from "./ports.ts";

const eventTypeSchema = z.enum(outgoingEventTypes);
const sourceSchema = visibleText.min(1).max(100);

const eventAuthorizationSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("none") }),
  ...authorizationSchema.options,
]);

const rulesSchema = z.strictObject({
  eventTypes: z.array(eventTypeSchema).min(1).nullable(),
  sources: z.array(sourceSchema).min(1).max(1_000).nullable(),
  ...limitsSchema.shape,
});

const usualRules: z.output<typeof rulesSchema> = {
  eventTypes: null,
  sources: null,
  deadlineMs: null,
  lanesMax: null,
  ratePerSecond: null,
};

/** All events are sent in order, and any 2xx acknowledges, as usual for webhooks. */
const fixedRules = { ordering: "every", acknowledgement: "any-success", agencyId: null } as const;

/** At least one, because events are always signed. */
const someSecretsSchema = signingSecretsSchema.min(1);

const newRecipientSchema = newRecipientBody(
  eventAuthorizationSchema.default({ type: "none" }),
  someSecretsSchema.optional(),
  rulesSchema,
);
export const eventRecipientChangeSchema = recipientChangeBody(eventAuthorizationSchema, someSecretsSchema, rulesSchema);

const ofEvent = { eventType: eventTypeSchema.optional(), source: sourceSchema.optional() };
const deliveryQuerySchema = pageSchema.extend({
  state: z.enum(deliveryStates).exclude(["superseded"]).optional(),
  ...anyDeliverySchema.shape,
  ...ofEvent,
});
const resendSchema = anyResendSchema.omit({ force: true }).extend({
  state: z.enum(deliveryStates).exclude(["pending", "superseded"]),
  ...ofEvent,
});

export const eventRequests: RecipientRequests<EventKind> = {
  newRecipient: newRecipientSchema
    .meta({ id: "NewEventRecipient" })
    .transform(toNewRecipient({ ...usualRules, ...fixedRules })),
  recipientChange: eventRecipientChangeSchema.meta({ id: "EventRecipientChange" }).transform(toRecipientChange),
  recipientQuery: pageSchema,
  deliveryQuery: deliveryQuerySchema,
  toDeliveryFilter: withoutUndefined,
  resend: resendSchema.meta({ id: "NewEventReplay" }).transform(({ preview, ...filter }) => ({
    // A newer event does not replace an older one.
    force: true,
    preview,
    filter: withoutUndefined(filter),
  })),
};
