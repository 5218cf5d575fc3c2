import type { RouteTypes } from "../http/route.ts";
import type { eventRecipientRoutes } from "./events/event-router.ts";
import type { notificationRoutes } from "./notification-routes.ts";

/** The routes of the gateway's notifications, described in docs/sender.md. */
export type NotificationTypes = RouteTypes<typeof notificationRoutes>;
/** The routes of the agency's events, described in docs/events.md. */
export type EventTypes = RouteTypes<ReturnType<typeof eventRecipientRoutes>>;

/** The routes that both sides have. */
export type DeliveryTypes = {
  readonly [Name in keyof EventTypes]: {
    readonly params: EventTypes[Name]["params"];
    readonly query: EventTypes[Name]["query"] | NotificationTypes[Name]["query"];
    readonly body: EventTypes[Name]["body"] | NotificationTypes[Name]["body"];
    readonly response: EventTypes[Name]["response"] | NotificationTypes[Name]["response"];
  };
};
