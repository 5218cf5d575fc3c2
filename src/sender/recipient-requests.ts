import { z } from "zod";
import { Secret } from "../kernel/secret.ts";
import type {
  DeliveryFilter,
  DeliveryKind,
  NewRecipient,
  NotificationKind,
  RecipientChange,
  ResendFilter,
} from "./ports.ts";
import { deliveryStates } from "./ports.ts";
import {
  anyDeliverySchema,
  anyResendSchema,
  authorizationSchema,
  changeRequired,
  changesSomething,
  clientCertificateSchema,
  hasFittingReason,
  instantSchema,
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
} from "./recipient-fields.ts";

/** How the routes of recipients read what they are asked. */
export interface RecipientRequests<T extends DeliveryKind> {
  /** Body of `POST /recipients`. */
  readonly newRecipient: z.ZodType<NewRecipient<T>>;
  /** Body of `PATCH /recipients/:id`. */
  readonly recipientChange: z.ZodType<RecipientChange<T>>;
  /** Query of `GET /recipients`: a page, and further filters that the store knows. */
  readonly recipientQuery: z.ZodObject<typeof pageSchema.shape>;
  /** Query of `GET /deliveries`. */
  readonly deliveryQuery: z.ZodObject<typeof pageSchema.shape>;
  /** What that query asks for beside the page. */
  toDeliveryFilter(query: object): DeliveryFilter<T>;
  /** Body of `POST /replays`. */
  readonly resend: z.ZodType<{
    readonly filter: ResendFilter<T>;
    readonly force: boolean;
    readonly preview: boolean;
  }>;
}

const airlineSchema = z.string().regex(/^[A-Z0-9]{2}$/, { error: "must be an airline designator such as LH" });

const agencyIdSchema = visibleText.trim().min(1).max(100);

const rulesSchema = z.strictObject({
  ordering: z.enum(["latest", "every"]),
  airlines: z.array(airlineSchema).min(1).max(1_000).nullable(),
  acknowledgement: z.enum(["required", "any-success"]),
  ...limitsSchema.shape,
  agencyId: agencyIdSchema.nullable(),
});

const usualRules: z.output<typeof rulesSchema> = {
  ordering: "latest",
  airlines: null,
  acknowledgement: "required",
  deadlineMs: null,
  lanesMax: null,
  ratePerSecond: null,
  agencyId: null,
};

/** Body of `POST /recipients`. */
export const newRecipientSchema = z.strictObject({
  name: nameSchema,
  url: urlSchema,
  authorization: authorizationSchema,
  signingSecrets: signingSecretsSchema.default([]),
  clientCertificate: clientCertificateSchema.nullable().default(null),
  ...rulesSchema.partial().shape,
});

/** Body of `POST /recipients/:id/missed`. */
export const missedSchema = z.strictObject({
  since: instantSchema,
});
/** Query of `GET /traffic`. */
export const trafficQuerySchema = z.object(missedSchema.shape);

/** Body of `PATCH /recipients/:id`. */
export const recipientChangeSchema = z
  .strictObject({
    name: nameSchema.optional(),
    url: urlSchema.optional(),
    authorization: authorizationSchema.optional(),
    signingSecrets: signingSecretsSchema.optional(),
    clientCertificate: clientCertificateSchema.nullable().optional(),
    ...rulesSchema.partial().shape,
    ...stateSchema.shape,
  })
  .refine(changesSomething, changeRequired)
  .refine(hasFittingReason, reasonMisplaced);

/** Query of `GET /recipients`. */
export const recipientQuerySchema = pageSchema.extend({ agencyId: agencyIdSchema.optional() });
const ofAirline = { airline: airlineSchema.optional() };
/** Query of `GET /deliveries`. */
export const deliveryQuerySchema = pageSchema.extend({
  state: z.enum(deliveryStates).optional(),
  ...anyDeliverySchema.shape,
  ...ofAirline,
});
/** Body of `POST /replays`. */
export const resendSchema = anyResendSchema.extend(ofAirline);

/** How requests about recipients of notifications are read. */
export const notificationRequests: RecipientRequests<NotificationKind> = {
  newRecipient: newRecipientSchema.meta({ id: "NewRecipient" }).transform(toNewRecipient),
  recipientChange: recipientChangeSchema.meta({ id: "RecipientChange" }).transform(toChange),
  recipientQuery: recipientQuerySchema,
  deliveryQuery: deliveryQuerySchema,
  toDeliveryFilter: withoutUndefined,
  resend: resendSchema.meta({ id: "NewReplay" }).transform(({ force, preview, ...filter }) => ({
    force,
    preview,
    filter: withoutUndefined(filter),
  })),
};

/** The recipient that a request asks for; rules that it leaves out are the usual ones. */
function toNewRecipient(input: z.output<typeof newRecipientSchema>): NewRecipient {
  const { authorization, signingSecrets, clientCertificate, ...rest } = input;
  return {
    ...usualRules,
    ...withoutUndefined(rest),
    authorization: toAuthorization(authorization),
    signingSecrets: signingSecrets.map((secret) => new Secret(secret)),
    clientCertificate: toCertificate(clientCertificate),
  };
}

/** The change that a request asks for. */
function toChange(input: z.output<typeof recipientChangeSchema>): RecipientChange {
  const { authorization, signingSecrets, clientCertificate, state, reason, ...rest } = input;
  return {
    ...withoutUndefined(rest),
    ...toCredentialChange({
      authorization: authorization && toAuthorization(authorization),
      signingSecrets,
      clientCertificate,
    }),
    ...toStateChange({ state, reason }),
  };
}
