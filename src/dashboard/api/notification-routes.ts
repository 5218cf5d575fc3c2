import { problem, routes, success } from "../../http/route.ts";
import { sendStoredBody } from "../../http/send-stored-body.ts";
import { assertNever } from "../../kernel/app-error.ts";
import type { Logger } from "../../telemetry/logger.ts";
import type { StoredBodies } from "../body-ports.ts";
import type { CaseQueries } from "../case-ports.ts";
import { notificationDetail, type Quarantine } from "../notification-ports.ts";
import { requiredRoles } from "../people/required-roles.ts";
import { type ReprocessNotification, reprocessEach } from "../reprocess-notification.ts";
import { pageLimitMax } from "../request-fields.ts";
import { discardBody, reprocessBody } from "./action-requests.ts";
import { bodyGone, noSuch, refuseDeletedBody, route, storedBytes } from "./api-surface.ts";
import { pageFrom, positionAfter, writeCursor } from "./cursor.ts";
import { toCaller } from "./identity.ts";
import { notificationListQuery } from "./requests.ts";
import {
  discardedResponse,
  notificationList,
  quarantinedCodes,
  reprocessedResponse,
  reprocessResponse,
} from "./responses.ts";

export const notificationsTag = { name: "Notifications", description: "What was received." };

type Reading = {
  readonly queries: Pick<CaseQueries, "listNotifications" | "readNotification">;
};

type Bodies = {
  readonly bodies: Pick<StoredBodies, "readNotificationBody">;
  readonly logger: Logger;
};

type Reprocessing = { readonly reprocess: ReprocessNotification };

/** By one request, so that its response is there before clients give up. */
const reprocessedMax = 1_000;

type Discarding = { readonly quarantine: Quarantine; readonly logger: Logger };

/** Bodies have their own route with a higher role, because they hold travellers' data. */
export const notificationRoutes = routes(notificationsTag.name, {
  listNotifications: route("GET /notifications", requiredRoles.readNotifications, {
    summary: "Notifications, newest first, without their bodies",
    query: notificationListQuery,
    responses: { 200: success("One page.", notificationList) },
    async handle({ query, caller }, { queries }: Reading) {
      const { state = null, source = null, code = null, cursor, limit } = query;
      const after = positionAfter("notifications", cursor);
      const page = await queries.listNotifications({ visible: caller.sources, state, source, code, after, limit });
      return { body: pageFrom("notifications", page) };
    },
  }),
  readNotification: route("GET /notifications/{id}", requiredRoles.readNotifications, {
    summary: "One notification and its cases",
    responses: { 200: success("The notification.", notificationDetail), 404: noSuch("notification") },
    async handle({ params, caller }, { queries }: Reading) {
      const found = await queries.readNotification(params.id, caller.sources);
      return found === null ? null : { body: found };
    },
  }),
  readNotificationBody: route("GET /notifications/{id}/body", requiredRoles.readBodies, {
    summary: "A notification byte for byte",
    responses: { 200: storedBytes, 404: noSuch("notification"), 410: bodyGone },
    async handle({ params: { id }, caller: { actor, sources } }, { bodies, logger }: Bodies) {
      const body = await bodies.readNotificationBody(id, sources);
      if (body === null) return null;
      if ("deleted" in body) return refuseDeletedBody(body.deleted);
      // Reads of travellers' data are logged.
      logger.info({ actor, notificationId: id, bodyBytes: body.bytes.length }, "notification.body_read");
      return sendStoredBody(body, `notification-${id}.json`);
    },
  }),
  countQuarantine: route("GET /quarantine", requiredRoles.readNotifications, {
    summary: "How many notifications are in quarantine, by the code of the problem",
    responses: { 200: success("The counts, the most first.", quarantinedCodes) },
    async handle({ caller }, { quarantine }: { readonly quarantine: Quarantine }) {
      return { body: { items: await quarantine.countByCode(caller.sources) } };
    },
  }),
  discardNotifications: route("POST /quarantine/discard", requiredRoles.reprocessNotification, {
    summary: "Takes notifications off the quarantine that nobody can use",
    description: "The bodies stay stored and can still be reprocessed. Ids that are not in quarantine are left out.",
    body: discardBody,
    responses: { 200: success("They are discarded.", discardedResponse) },
    async handle({ body: { ids, note }, caller }, { quarantine, logger }: Discarding) {
      const discarded = await quarantine.discard(ids, { ...toCaller(caller), note });
      logger.info({ actor: caller.actor, notificationIds: discarded }, "notification.discarded");
      return { body: { ids: discarded } };
    },
  }),
  reprocessNotifications: route("POST /quarantine/reprocess", requiredRoles.reprocessNotification, {
    summary: "Reprocesses many quarantined notifications, newest first",
    description: `At most ${reprocessedMax} in one request, which ends them even if the caller leaves. Ids that are not in quarantine are left out.`,
    body: reprocessBody,
    responses: { 200: success("Those that were released, and those that still cannot be used.", reprocessedResponse) },
    async handle({ body, caller }, { queries, reprocess }: Reading & Reprocessing) {
      const { ids, state, source = null, code = null, cursor } = body;
      const by = toCaller(caller);
      if (ids !== undefined) return { body: { ...(await reprocessEach(reprocess, ids, by)), nextCursor: null } };
      const filter = { visible: caller.sources, state, source, code, limit: pageLimitMax };
      const found: string[] = [];
      let after = positionAfter("notifications", cursor);
      do {
        const page = await queries.listNotifications({ ...filter, after });
        found.push(...page.items.map(({ id }) => id));
        after = page.next;
      } while (after !== null && found.length < reprocessedMax);
      const nextCursor = after === null ? null : writeCursor("notifications", after);
      return { body: { ...(await reprocessEach(reprocess, found, by)), nextCursor } };
    },
  }),
  replayNotification: route("POST /notifications/{id}/replay", requiredRoles.reprocessNotification, {
    summary: "Reprocesses a quarantined notification",
    responses: {
      202: success("It is usable now, and its cases are opened.", reprocessResponse),
      404: noSuch("notification"),
      409: problem("It is not in quarantine.", "api.not_quarantined"),
      422: problem(
        "It is still not usable; `code` says what is wrong and `path` points to it. It stays in quarantine.",
      ),
    },
    async handle({ params: { id }, caller }, { reprocess }: Reprocessing) {
      const outcome = await reprocess(id, toCaller(caller));
      switch (outcome.outcome) {
        case "released":
          return { status: 202, body: { state: "released" as const, cases: outcome.cases } };
        case "not-found":
          return null;
        case "not-quarantined":
          return {
            status: 409,
            code: "api.not_quarantined",
            title: "Not in quarantine",
            detail: `Notification ${id} is not in quarantine. Get it again to see its cases.`,
          };
        case "unusable":
          return {
            status: 422,
            code: outcome.problem.code,
            title: "Notification still not usable",
            detail: `${outcome.problem.message} It stays in quarantine.`,
            extensions: { path: outcome.problem.path },
          };
        default:
          return assertNever(outcome);
      }
    },
  }),
});
