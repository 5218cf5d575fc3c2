import type { Router } from "express";
import { makeWebhookSecret } from "../../kernel/webhook-signature.ts";
import type { RecipientView } from "../ports.ts";
import { createRecipientRoutes, type RecipientRouterOptions } from "../recipient-router.ts";
import { eventRequests } from "./event-requests.ts";
import type { EventKind } from "./ports.ts";

/**
 * The routes by which people manage the systems that are sent the agency's own events. Whoever mounts it authenticates
 * before, and says who may do what. A recipient that is given no secret gets one, which is shown this once.
 */
export function createEventRouter(options: RecipientRouterOptions<EventKind>): Router {
  return createRecipientRoutes({ ...options, requests: eventRequests, makeSecret: makeWebhookSecret, show });
}

/** Without the rules that are the same for all of them. */
function show(recipient: RecipientView<EventKind>): object {
  const { ordering: _, acknowledgement: __, agencyId: ___, ...shown } = recipient;
  return shown;
}
