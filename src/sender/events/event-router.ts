import type { Router } from "express";
import { makeWebhookSecret } from "../../kernel/webhook-signature.ts";
import type { RecipientView } from "../ports.ts";
import { type RecipientNeeds, type RecipientRoles, recipientRoutes } from "../recipient-routes.ts";
import { mountRecipientRoutes, type RecipientAccess } from "../recipient-surface.ts";
import { eventRequests } from "./event-requests.ts";
import { type EventKind, eventDelivery, eventRecipient } from "./ports.ts";

/** A recipient without a secret gets a generated one, which is shown once. */
export function eventRecipientRoutes<Role>(roles: RecipientRoles<Role>) {
  const kind = {
    prefix: "/api/v1",
    requests: eventRequests,
    makeSecret: makeWebhookSecret,
    recipient: eventRecipient,
    delivery: eventDelivery,
    show,
  };
  return recipientRoutes(kind, roles);
}

export function createEventRouter<Role>(
  needs: RecipientNeeds<EventKind>,
  access: RecipientAccess<Role> & RecipientRoles<Role>,
): Router {
  return mountRecipientRoutes(eventRecipientRoutes(access), needs, access);
}

function show(recipient: RecipientView<EventKind>) {
  const { ordering: _, acknowledgement: __, agencyId: ___, ...shown } = recipient;
  return shown;
}
