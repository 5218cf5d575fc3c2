import { z } from "zod";
import type { Problem } from "../http/problem-document.ts";
import { problem, type ResponseDescription, routes, routesFor, success } from "../http/route.ts";
import type { Actor } from "../kernel/actor.ts";
import type { Secret } from "../kernel/secret.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { AddressGuard } from "./address-guard.ts";
import {
  type AnyRecipientChange,
  attempt,
  type DeliveryKind,
  type RecipientStore,
  type RecipientView,
  type ResendStore,
  resend,
  resendPreview,
  testResult,
} from "./ports.ts";
import { attemptQuerySchema, resendQuerySchema, withoutUndefined } from "./recipient-fields.ts";
import type { RecipientRequests } from "./recipient-requests.ts";
import type { Sender } from "./sender.ts";

export const recipientsTag = "Recipients";
export const deliveriesTag = "Deliveries";

export type RecipientNeeds<T extends DeliveryKind> = {
  readonly store: RecipientStore<T>;
  readonly resends: ResendStore<T>;
  readonly tester: Pick<Sender, "test">;
  readonly guard: AddressGuard;
  readonly logger: Logger;
};

export interface RecipientKind<T extends DeliveryKind, Shown extends object> {
  readonly prefix: string;
  readonly requests: RecipientRequests<T>;
  /** Generates a missing secret; absent if deliveries may be unsigned. */
  readonly makeSecret?: () => Secret;
  readonly recipient: z.ZodObject;
  readonly delivery: z.ZodObject;
  readonly show: (recipient: RecipientView<T>) => Shown;
}

export interface RecipientRoles<Role> {
  readonly read: Role;
  readonly change: Role;
}

/** For the audit; null if unknown. */
export type RecipientCaller = Actor | null;

export function pageOf(item: z.ZodType) {
  return z.strictObject({ items: z.array(item), nextCursor: z.string().nullable() });
}

export function listOf(item: z.ZodType) {
  return z.strictObject({ items: z.array(item) });
}

const signingSecret = z.string().optional().meta({ description: "One that was generated; it is not shown again." });

const badUrl = problem("Nothing could be sent to this URL; `code` says why.");

/** Responses never contain credentials. */
export function recipientRoutes<T extends DeliveryKind, Role, Shown extends object>(
  { prefix, requests, makeSecret, recipient: shown, delivery: shownDelivery, show }: RecipientKind<T, Shown>,
  { read, change }: RecipientRoles<Role>,
) {
  const route = routesFor<Role, RecipientCaller>();
  const noRecipient = noSuch("recipient", prefix, ", or it is removed");
  const noDelivery = noSuch("delivery", prefix);
  const noResend = noSuch("replay", prefix);
  type Needs = RecipientNeeds<T>;
  return {
    ...routes(recipientsTag, {
      addRecipient: route("POST /recipients", change, {
        summary: "Adds a recipient",
        body: requests.newRecipient,
        responses: { 201: success("The recipient.", shown.extend({ signingSecret })), 422: badUrl },
        async handle({ body, caller }, { store, guard, logger }: Needs) {
          const refusal = refuseUrls(guard, body);
          if (refusal !== null) return refusal;
          const secret = body.signingSecrets.length === 0 ? makeSecret?.() : undefined;
          const input = secret === undefined ? body : { ...body, signingSecrets: [secret] };
          const recipient = await store.createRecipient(input, caller);
          logger.info({ recipientId: recipient.id }, "recipient.created");
          return {
            body: { ...show(recipient), ...(secret === undefined ? {} : { signingSecret: secret.reveal() }) },
            headers: { Location: `${prefix}/recipients/${recipient.id}` },
          };
        },
      }),
      listRecipients: route("GET /recipients", read, {
        summary: "Recipients, newest first",
        query: requests.recipientQuery,
        responses: { 200: success("One page.", pageOf(shown)) },
        async handle({ query }, { store }: Needs) {
          const { items, nextCursor } = await store.listRecipients(withoutUndefined(query));
          return { body: { items: items.map(show), nextCursor } };
        },
      }),
      readRecipient: route("GET /recipients/{id}", read, {
        summary: "One recipient",
        responses: { 200: success("The recipient.", shown), 404: noRecipient },
        async handle({ params }, { store }: Needs) {
          const recipient = await store.readRecipient(params.id);
          return recipient === null ? null : { body: show(recipient) };
        },
      }),
      changeRecipient: route("PATCH /recipients/{id}", change, {
        summary: "Changes, pauses or resumes a recipient",
        body: requests.recipientChange,
        responses: { 200: success("The recipient.", shown), 404: noRecipient, 422: badUrl },
        async handle({ params, body, caller }, { store, guard, logger }: Needs) {
          const refusal = refuseUrls(guard, body);
          if (refusal !== null) return refusal;
          const recipient = await store.changeRecipient(params.id, body, caller);
          if (recipient === null) return null;
          const { id: recipientId, state } = recipient;
          logger.info({ recipientId, changed: Object.keys(body), state }, "recipient.changed");
          return { body: show(recipient) };
        },
      }),
      removeRecipient: route("DELETE /recipients/{id}", change, {
        summary: "Removes a recipient; what is pending for it becomes dead",
        responses: { 204: success("Removed."), 404: noRecipient },
        async handle({ params, caller }, { store, logger }: Needs) {
          if (!(await store.removeRecipient(params.id, caller))) return null;
          logger.info({ recipientId: params.id }, "recipient.removed");
          return {};
        },
      }),
      testRecipient: route("POST /recipients/{id}/test", change, {
        summary: "Sends a recipient a test and returns what came of it",
        responses: { 200: success("What came of it; nothing of it is kept.", testResult), 404: noRecipient },
        async handle({ params }, { tester }: Needs) {
          const result = await tester.test(params.id);
          return result === null ? null : { body: result };
        },
      }),
    }),
    ...routes(deliveriesTag, {
      listDeliveries: route("GET /deliveries", read, {
        summary: "Deliveries, newest first",
        query: requests.deliveryQuery,
        responses: { 200: success("One page.", pageOf(shownDelivery)) },
        async handle({ query: { limit, cursor, ...filter } }, { store }: Needs) {
          return { body: await store.listDeliveries(requests.toDeliveryFilter(filter), { limit, cursor }) };
        },
      }),
      readDelivery: route("GET /deliveries/{id}", read, {
        summary: "One delivery",
        responses: { 200: success("The delivery.", shownDelivery), 404: noDelivery },
        async handle({ params }, { store }: Needs) {
          const delivery = await store.readDelivery(params.id);
          return delivery === null ? null : { body: delivery };
        },
      }),
      listAttempts: route("GET /deliveries/{id}/attempts", read, {
        summary: "Each HTTP request that was made for a delivery, newest first",
        query: attemptQuerySchema,
        responses: { 200: success("The attempts.", listOf(attempt)), 404: noDelivery },
        async handle({ params, query }, { store }: Needs) {
          const attempts = await store.listAttempts(params.id, query.limit);
          return attempts === null ? null : { body: { items: attempts } };
        },
      }),
      replayDelivery: route("POST /deliveries/{id}/replay", change, {
        summary: "Sends the same bytes once more, as a new delivery",
        responses: {
          201: success(
            "`delivery`, and `newerNotifications` of the same order.",
            z.strictObject({ delivery: shownDelivery, newerNotifications: z.int() }),
          ),
          404: noDelivery,
          409: problem("The recipient is removed, and its credentials with it.", "sender.recipient_removed"),
        },
        async handle({ params }, { store, logger }: Needs) {
          const outcome = await store.resend(params.id);
          if (outcome.outcome === "not-found") return null;
          if (outcome.outcome === "recipient-removed") {
            return {
              status: 409,
              code: "sender.recipient_removed",
              title: "The recipient has been removed",
              detail: "The recipient of this delivery is removed, and its credentials with it. Create it anew.",
            };
          }
          const { delivery, newerNotifications } = outcome;
          logger.info(
            { deliveryId: delivery.id, replayOf: delivery.replayOf, newerNotifications },
            "delivery.replayed",
          );
          return { body: { delivery, newerNotifications } };
        },
      }),
      replayDeliveries: route("POST /replays", change, {
        summary: "Sends many deliveries once more, or counts them only",
        body: requests.resend,
        responses: {
          200: success("With `preview`: `total`, `leftOut` and `afterNewer`.", resendPreview),
          201: success("The replay, `leftOut` and `afterNewer`.", resend.extend(resendPreview.shape)),
        },
        async handle({ body: { force, preview, filter } }, { resends, logger }: Needs) {
          const counted = await resends.previewResend(filter);
          if (preview) return { status: 200, body: counted };
          const started = await resends.createResend(filter, force);
          logger.info({ replayId: started.id, filter, force, total: started.total }, "replay.created");
          return {
            status: 201,
            body: { ...started, leftOut: counted.leftOut, afterNewer: counted.afterNewer },
            headers: { Location: `${prefix}/replays/${started.id}` },
          };
        },
      }),
      listReplays: route("GET /replays", read, {
        summary: "Replays of many deliveries, newest first",
        query: resendQuerySchema,
        responses: { 200: success("The replays.", listOf(resend)) },
        async handle({ query }, { resends }: Needs) {
          return { body: { items: await resends.listResends(query.limit) } };
        },
      }),
      readReplay: route("GET /replays/{id}", read, {
        summary: "One replay of many deliveries, with how far it got",
        responses: { 200: success("The replay.", resend), 404: noResend },
        async handle({ params }, { resends }: Needs) {
          const found = await resends.readResend(params.id);
          return found === null ? null : { body: found };
        },
      }),
      cancelReplay: route("DELETE /replays/{id}", change, {
        summary: "Stops a replay where it is",
        responses: { 200: success("The replay.", resend), 404: noResend },
        async handle({ params }, { resends, logger }: Needs) {
          const stopped = await resends.cancelResend(params.id);
          if (stopped === null) return null;
          logger.info({ replayId: stopped.id, state: stopped.state, done: stopped.done }, "replay.cancelled");
          return { body: stopped };
        },
      }),
    }),
  };
}

/** Does not look names up, because their addresses may change: that is done for each connection. */
function refuseUrls(guard: AddressGuard, { url, authorization }: AnyRecipientChange): Problem | null {
  const urls = [url, authorization?.type === "oauth" ? authorization.tokenUrl : undefined];
  const refusal = urls.map((each) => (each === undefined ? null : guard.refuse(new URL(each)))).find(Boolean);
  if (refusal === undefined || refusal === null) return null;
  return { status: 422, code: refusal.code, title: "The URL is not allowed", detail: refusal.message };
}

export function noSuch(what: "recipient" | "delivery" | "replay", prefix: string, orElse = ""): ResponseDescription {
  const code = `sender.${what}_not_found`;
  const lists = what === "delivery" ? "deliveries" : `${what}s`;
  return {
    description: `There is no such ${what}.`,
    codes: [code],
    missing: () => ({
      code,
      title: `There is no such ${what}`,
      detail: `No ${what} has this id${orElse}. GET ${prefix}/${lists} lists them.`,
    }),
  };
}
