import type { z } from "zod";
import type { DeliveryTypes, EventTypes, NotificationTypes } from "../../../sender/delivery-types.ts";
import type { eventRecipientChangeSchema } from "../../../sender/events/event-requests.ts";
import type { recipientChangeSchema, resendSchema } from "../../../sender/recipient-requests.ts";

export type Recipient = DeliveryTypes["GET /recipients/{id}"]["response"];
type EventRecipient = EventTypes["GET /recipients/{id}"]["response"];
/** Events are always signed: a secret that was not given is generated, and told this once. */
export type AddedRecipient = Recipient & { readonly signingSecret?: string };

export function isOfEvents(recipient: Recipient): recipient is EventRecipient {
  return "eventTypes" in recipient;
}

export type Delivery = DeliveryTypes["GET /deliveries/{id}"]["response"];
type EventDelivery = EventTypes["GET /deliveries/{id}"]["response"];
export function isOfEvent(delivery: Delivery): delivery is EventDelivery {
  return "eventType" in delivery;
}

export type DeliveryState = Delivery["state"];
/** What the gateway reports of a recipient's traffic. */
export type RecipientTraffic = NotificationTypes["GET /traffic"]["response"]["items"][number];
export type Attempt = DeliveryTypes["GET /deliveries/{id}/attempts"]["response"]["items"][number];
export type AttemptResult = Omit<Attempt, "id" | "number" | "startedAt">;
type Unset<Value> = { -readonly [Key in keyof Value]?: Exclude<Value[Key], undefined> };

/** Absent members stay as they are. */
type NotificationRecipientInput = Unset<z.input<typeof recipientChangeSchema>>;
type EventRecipientInput = Unset<z.input<typeof eventRecipientChangeSchema>>;
export type RecipientInput = NotificationRecipientInput | EventRecipientInput;
export type Authorization = NonNullable<EventRecipientInput["authorization"]>;
/** PEM. */
export type Certificate = NonNullable<RecipientInput["clientCertificate"]>;

export type ResendFilter = Unset<Pick<z.input<typeof resendSchema>, "orderId" | "recipientId" | "since">> &
  Pick<z.input<typeof resendSchema>, "state">;

export interface DeliveryFilters {
  readonly since: string;
  readonly state: string;
  readonly orderId: string;
  readonly recipientId: string;
}
