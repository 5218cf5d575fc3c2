import { z } from "zod";
import { agencyIdSchema } from "../http/agency-id.ts";
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
  instantSchema,
  limitsSchema,
  newRecipientBody,
  pageSchema,
  recipientChangeBody,
  signingSecretsSchema,
  toNewRecipient,
  toRecipientChange,
  withoutUndefined,
} from "./recipient-fields.ts";

export interface RecipientRequests<T extends DeliveryKind> {
  readonly newRecipient: z.ZodType<NewRecipient<T>>;
  readonly recipientChange: z.ZodType<RecipientChange<T>>;
  readonly recipientQuery: z.ZodObject<typeof pageSchema.shape>;
  readonly deliveryQuery: z.ZodObject<typeof pageSchema.shape>;
  toDeliveryFilter(query: object): DeliveryFilter<T>;
  readonly resend: z.ZodType<{
    readonly filter: ResendFilter<T>;
    readonly force: boolean;
    readonly preview: boolean;
  }>;
}

const airlineSchema = z.string().regex(/^[A-Z0-9]{2}$/, { error: "must be an airline designator such as LH" });

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

const newRecipientSchema = newRecipientBody(authorizationSchema, signingSecretsSchema.default([]), rulesSchema);

export const missedSchema = z.strictObject({
  since: instantSchema,
});
export const trafficQuerySchema = z.object(missedSchema.shape);

export const recipientChangeSchema = recipientChangeBody(authorizationSchema, signingSecretsSchema, rulesSchema);

const recipientQuerySchema = pageSchema.extend({ agencyId: agencyIdSchema.optional() });
const ofAirline = { airline: airlineSchema.optional() };
const deliveryQuerySchema = pageSchema.extend({
  state: z.enum(deliveryStates).optional(),
  ...anyDeliverySchema.shape,
  ...ofAirline,
});
export const resendSchema = anyResendSchema.extend(ofAirline);

export const notificationRequests: RecipientRequests<NotificationKind> = {
  newRecipient: newRecipientSchema.meta({ id: "NewRecipient" }).transform(toNewRecipient(usualRules)),
  recipientChange: recipientChangeSchema.meta({ id: "RecipientChange" }).transform(toRecipientChange),
  recipientQuery: recipientQuerySchema,
  deliveryQuery: deliveryQuerySchema,
  toDeliveryFilter: withoutUndefined,
  resend: resendSchema.meta({ id: "NewReplay" }).transform(({ force, preview, ...filter }) => ({
    force,
    preview,
    filter: withoutUndefined(filter),
  })),
};
