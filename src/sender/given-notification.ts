import express, { type Router } from "express";
import { z } from "zod";
import { checkNotification } from "../contract/check-notification.ts";
import { orderViewResponseSchema } from "../contract/order-view-schema.ts";
import { agencyIdSchema } from "../http/agency-id.ts";
import { mountRoutes, type Surface } from "../http/mount-routes.ts";
import { type BodyChoice, problem, routes, routesFor, success } from "../http/route.ts";
import type { Clock } from "../kernel/clock.ts";
import { newId } from "../kernel/ids.ts";
import { id } from "../kernel/stored.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { AddedAnnouncement, Announcement } from "./ports.ts";
import { deliveriesTag } from "./recipient-routes.ts";
import { badRequest } from "./recipient-surface.ts";

export interface NotificationNeeds {
  /** Stores a notification with its deliveries, in one transaction. */
  readonly announce: (announcement: Announcement) => Promise<AddedAnnouncement>;
  readonly clock: Clock;
  readonly logger: Logger;
}

const route = routesFor<null, null>();

/** In bytes: several times an order view of many passengers. */
const notificationBytesMax = 2 * 1024 * 1024;

const keyPattern = /^[\x21-\x7e]{1,200}$/;

const agencyDescription =
  "Your name of the agency that the order belongs to: it goes to the recipients of that agency, and to those of none. Without it, to those of all agencies.";

/** The bytes as they came, which are what recipients get. */
const notificationBody: BodyChoice<Uint8Array, z.input<typeof orderViewResponseSchema>> = {
  alternatives: [orderViewResponseSchema],
  pick: () => z.instanceof(Uint8Array, { error: "is missing: send a notification" }),
};

const announced = z.strictObject({
  changeId: z.string(),
  orderId: z.string(),
  airline: z.string(),
  state: z.enum(["announced", "no-recipient"]),
  deliveries: z.array(z.strictObject({ deliveryId: id, recipientId: id })),
  remarks: z.array(z.strictObject({ path: z.string(), message: z.string() })),
});

export const givenNotificationRoutes = routes(deliveriesTag, {
  sendNotification: route("POST /notifications", null, {
    summary: "Sends a notification of yours to the recipients that it fits",
    description:
      "Recipients are chosen as for a change of the gateway's own orders. With an `Idempotency-Key` header a repeated request sends nothing again and gets the response as it would be now: `deliveries` has those that were added since, for a recipient that missed it.",
    query: z.object({ agencyId: agencyIdSchema.optional().meta({ description: agencyDescription }) }),
    body: notificationBody,
    responses: {
      201: success("The deliveries, and `remarks` on what is not as the interface document shows it.", announced),
      409: problem("The Idempotency-Key was used for another notification.", "sender.idempotency_key_reused"),
      413: problem("The body is longer than 2 MiB.", "sender.bad_request"),
      422: problem("It is no notification that can be sent; `problems` says why.", "sender.unusable_notification"),
    },
    async handle({ body, query, request }, { announce, clock, logger }: NotificationNeeds) {
      const idempotencyKey = request.get("Idempotency-Key");
      if (idempotencyKey !== undefined && !keyPattern.test(idempotencyKey)) return invalidKey;
      const checked = checkNotification(body);
      if (!checked.ok) return { ...unusable, extensions: { problems: checked.problems } };
      const { orderId, airline, remarks } = checked;
      const { agencyId = null } = query;
      const announcement = { orderId, airline, agencyId, changeId: newId(clock), body };
      const added = await announce(idempotencyKey === undefined ? announcement : { ...announcement, idempotencyKey });
      if (added.outcome === "conflict") return reusedKey;
      const { changeId, deliveries } = added;
      const state = deliveries.length > 0 ? "announced" : "no-recipient";
      const isRepeated = added.outcome === "repeated";
      if (!isRepeated) {
        logger.info({ orderId, changeId, state, deliveries: deliveries.length }, "notification.announced");
      }
      return {
        body: { changeId, orderId, airline, state, deliveries, remarks },
        ...(isRepeated ? { headers: { "Idempotent-Replayed": "true" } } : {}),
      };
    },
  }),
});

const invalidKey = {
  status: 400,
  code: "sender.bad_request",
  title: "The request is not valid",
  detail: "The Idempotency-Key must be 1 to 200 visible ASCII characters, such as a UUID.",
};

const reusedKey = {
  status: 409,
  code: "sender.idempotency_key_reused",
  title: "The Idempotency-Key was used before",
  detail:
    "Another notification was sent with this Idempotency-Key. Nothing was sent now. Use a new key for a new body.",
};

const unusable = {
  status: 422,
  code: "sender.unusable_notification",
  title: "The notification cannot be sent",
  detail: "Nothing was sent. The problems say where the body is wrong and what to send.",
};

const surface: Surface<null, null> = {
  authorize: () => true,
  callerOf: () => null,
  bodyParser: () => express.raw({ type: () => true, limit: notificationBytesMax }),
  bodyOf: (request) => request.body as unknown,
  refuseQuery: badRequest,
  refuseBody: badRequest,
};

/** The router handles unreadable bodies. */
export function mountGivenNotifications(router: Router, needs: NotificationNeeds): void {
  mountRoutes(router, givenNotificationRoutes, surface, needs);
}
