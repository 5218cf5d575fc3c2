import type { z } from "zod";
import { type CallOf, requestOf } from "../../../http/call-route.ts";
import type { RouteTypes } from "../../../http/route.ts";
import type { eventRecipientChangeSchema } from "../../../sender/events/event-requests.ts";
import type { eventRecipientRoutes } from "../../../sender/events/event-router.ts";
import type { notificationRoutes } from "../../../sender/notification-routes.ts";
import type { recipientChangeSchema, resendSchema } from "../../../sender/recipient-requests.ts";
import { type CallOptions, safeToRepeat } from "../api/api-client.ts";

/** Of the gateway, described in docs/sender.md. */
type NotificationTypes = RouteTypes<typeof notificationRoutes>;
/** Of the agency, described in docs/events.md. */
type EventTypes = RouteTypes<ReturnType<typeof eventRecipientRoutes>>;

/** The routes that both sides have. */
type Types = {
  readonly [Name in keyof EventTypes]: {
    readonly params: EventTypes[Name]["params"];
    readonly query: EventTypes[Name]["query"] | NotificationTypes[Name]["query"];
    readonly body: EventTypes[Name]["body"] | NotificationTypes[Name]["body"];
    readonly response: EventTypes[Name]["response"] | NotificationTypes[Name]["response"];
  };
};

export type Recipient = Types["GET /recipients/{id}"]["response"];
type EventRecipient = EventTypes["GET /recipients/{id}"]["response"];
/** Events are always signed: a secret that was not given is generated, and told this once. */
export type AddedRecipient = Recipient & { readonly signingSecret?: string };

export function isOfEvents(recipient: Recipient): recipient is EventRecipient {
  return "eventTypes" in recipient;
}

export type Delivery = Types["GET /deliveries/{id}"]["response"];
type EventDelivery = EventTypes["GET /deliveries/{id}"]["response"];
export function isOfEvent(delivery: Delivery): delivery is EventDelivery {
  return "eventType" in delivery;
}

export type DeliveryState = Delivery["state"];
/** Of the gateway. */
export type RecipientTraffic = NotificationTypes["GET /traffic"]["response"]["items"][number];
export type Attempt = Types["GET /deliveries/{id}/attempts"]["response"]["items"][number];
export type AttemptResult = Omit<Attempt, "id" | "number" | "startedAt">;
type ResendOfMany = Types["GET /replays/{id}"]["response"];

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

/** Sends a request to one side; rejects with an `ApiProblem`. */
export type SendToSide = (method: string, path: string, body?: unknown, options?: CallOptions) => Promise<Response>;

export type DeliveryApi = ReturnType<typeof createDeliveryApi>;

/** Every method rejects with an `ApiProblem`. */
export function createDeliveryApi(send: SendToSide) {
  const call = async <Name extends keyof Types>(
    name: Name,
    input: CallOf<Types[Name]>,
    options?: CallOptions,
  ): Promise<Types[Name]["response"]> => {
    const { method, path, body } = requestOf(name, input as Parameters<typeof requestOf>[1]);
    const response = await send(method, path, body, options);
    return (response.status === 204 ? undefined : await response.json()) as Types[Name]["response"];
  };
  return {
    listRecipients: (cursor: string | null) => call("GET /recipients", { query: { limit: 100, cursor } }),
    readRecipient: (id: string) => call("GET /recipients/{id}", { params: { id } }),
    addRecipient: (input: RecipientInput) => call("POST /recipients", { body: input }) as Promise<AddedRecipient>,
    changeRecipient: (id: string, input: RecipientInput) =>
      call("PATCH /recipients/{id}", { params: { id }, body: input }),
    removeRecipient: (id: string) => call("DELETE /recipients/{id}", { params: { id } }),

    sendTest: (id: string) => call("POST /recipients/{id}/test", { params: { id } }),

    listDeliveries: (filters: DeliveryFilters, cursor: string | null) =>
      call("GET /deliveries", { query: { ...filters, cursor, limit: 50 } }),
    readDelivery: (id: string) => call("GET /deliveries/{id}", { params: { id } }),
    listAttempts: (id: string) => call("GET /deliveries/{id}/attempts", { params: { id }, query: { limit: 100 } }),
    resend: (id: string) => call("POST /deliveries/{id}/replay", { params: { id } }),

    previewResend: (filter: ResendFilter) =>
      call("POST /replays", { body: { ...filter, preview: true } }, safeToRepeat),
    /** @param force older ones, too; only notifications are replaced by newer ones */
    startResend: (filter: ResendFilter, force: boolean | undefined) =>
      call("POST /replays", { body: { ...filter, force } }) as Promise<ResendOfMany>,
    listResends: () => call("GET /replays", { query: { limit: 20 } }),
    cancelResend: (id: string) => call("DELETE /replays/{id}", { params: { id } }),
  };
}
