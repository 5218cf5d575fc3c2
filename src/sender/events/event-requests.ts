import { z } from "zod";
import { Secret } from "../../kernel/secret.ts";
import { deliveryStates, type NewRecipient, type RecipientChange } from "../ports.ts";
import {
  anyDeliverySchema,
  anyResendSchema,
  authorizationSchema,
  changeRequired,
  changesSomething,
  clientCertificateSchema,
  hasFittingReason,
  limitsSchema,
  nameSchema,
  pageSchema,
  reasonMisplaced,
  signingSecretsSchema,
  stateSchema,
  toAuthorization,
  toCertificate,
  toCredentialChange,
  toStateChange,
  urlSchema,
  visibleText,
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

/** Every event of an order is sent, in order, and an endpoint for webhooks answers any 2xx. Not for requests to say. */
const fixedRules = { ordering: "every", acknowledgement: "any-success", agencyId: null } as const;

/** At least one: events are always signed. */
const someSecretsSchema = signingSecretsSchema.min(1);

/** Body of `POST /recipients`. */
export const newEventRecipientSchema = z.strictObject({
  name: nameSchema,
  url: urlSchema,
  authorization: eventAuthorizationSchema.default({ type: "none" }),
  signingSecrets: someSecretsSchema.optional(),
  clientCertificate: clientCertificateSchema.nullable().default(null),
  ...rulesSchema.partial().shape,
});

/** Body of `PATCH /recipients/:id`. */
export const eventRecipientChangeSchema = z
  .strictObject({
    name: nameSchema.optional(),
    url: urlSchema.optional(),
    authorization: eventAuthorizationSchema.optional(),
    signingSecrets: someSecretsSchema.optional(),
    clientCertificate: clientCertificateSchema.nullable().optional(),
    ...rulesSchema.partial().shape,
    ...stateSchema.shape,
  })
  .refine(changesSomething, changeRequired)
  .refine(hasFittingReason, reasonMisplaced);

/** Query of `GET /recipients`. */
export const eventRecipientQuerySchema = pageSchema;
const ofEvent = { eventType: eventTypeSchema.optional(), source: sourceSchema.optional() };
/** Query of `GET /deliveries`. */
export const eventDeliveryQuerySchema = pageSchema.extend({
  state: z.enum(deliveryStates).exclude(["superseded"]).optional(),
  ...anyDeliverySchema.shape,
  ...ofEvent,
});
/** Body of `POST /replays`. */
export const eventResendSchema = anyResendSchema.omit({ force: true }).extend({
  state: z.enum(deliveryStates).exclude(["pending", "superseded"]),
  ...ofEvent,
});

/** How requests about recipients of events are read. */
export const eventRequests: RecipientRequests<EventKind> = {
  newRecipient: newEventRecipientSchema.meta({ id: "NewEventRecipient" }).transform(toNewRecipient),
  recipientChange: eventRecipientChangeSchema.meta({ id: "EventRecipientChange" }).transform(toChange),
  recipientQuery: eventRecipientQuerySchema,
  deliveryQuery: eventDeliveryQuerySchema,
  toDeliveryFilter: withoutUndefined,
  resend: eventResendSchema.meta({ id: "NewEventReplay" }).transform(({ preview, ...filter }) => ({
    // Nothing that is newer makes an event pointless.
    force: true,
    preview,
    filter: withoutUndefined(filter),
  })),
};

function toNewRecipient(input: z.output<typeof newEventRecipientSchema>): NewRecipient<EventKind> {
  const { authorization, signingSecrets = [], clientCertificate, ...rest } = input;
  return {
    ...usualRules,
    ...withoutUndefined(rest),
    ...fixedRules,
    authorization: readAuthorization(authorization),
    signingSecrets: signingSecrets.map((secret) => new Secret(secret)),
    clientCertificate: toCertificate(clientCertificate),
  };
}

function toChange(input: z.output<typeof eventRecipientChangeSchema>): RecipientChange<EventKind> {
  const { authorization, signingSecrets, clientCertificate, state, reason, ...rest } = input;
  return {
    ...withoutUndefined(rest),
    ...toCredentialChange({
      authorization: authorization && readAuthorization(authorization),
      signingSecrets,
      clientCertificate,
    }),
    ...toStateChange({ state, reason }),
  };
}

function readAuthorization(input: z.output<typeof eventAuthorizationSchema>) {
  return input.type === "none" ? input : toAuthorization(input);
}
