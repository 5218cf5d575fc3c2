import { type Response, Router } from "express";
import { assertNever } from "../../kernel/app-error.ts";
import { idPattern } from "../../kernel/ids.ts";
import { writeProblem } from "../../kernel/problem-document.ts";
import type { Logger } from "../../telemetry/logger.ts";
import { requiredRoles } from "../people/needed-roles.ts";
import type { CaseQueries, StoredBodies } from "../ports.ts";
import type { ReplayNotification, ReplayOutcome } from "../replay-notification.ts";
import { readCursor, writeCursor } from "./cursor.ts";
import { readQuery, refuseMethod, writeBadCursor, writeNotFound } from "./exchange.ts";
import { identityOf } from "./identity.ts";
import { emptyQuery, notificationListQuery } from "./requests.ts";
import { requireRole } from "./require-role.ts";
import { sendStoredBody } from "./send-body.ts";

/**
 * `/notifications` and, of one, itself, its bytes and its replay. Bodies are shown by themselves only: they hold
 * passenger data, and not everybody who may see a notification may see them.
 */
export function createNotificationRoutes(options: {
  queries: Pick<CaseQueries, "listNotifications" | "readNotification">;
  bodies: Pick<StoredBodies, "readNotificationBody">;
  replay: ReplayNotification;
  logger: Logger;
}): Router {
  const { queries, bodies, replay, logger } = options;
  const router = Router();

  router.get("/notifications", requireRole(requiredRoles.readNotifications), async (request, response) => {
    const query = readQuery(request, response, notificationListQuery);
    if (query === null) return;
    const after = query.cursor === undefined ? null : readCursor("notifications", query.cursor);
    if (query.cursor !== undefined && after === null) {
      writeBadCursor(response);
      return;
    }
    const page = await queries.listNotifications({
      state: query.state ?? null,
      source: query.source ?? null,
      after,
      limit: query.limit,
    });
    response.json({
      items: page.items,
      nextCursor: page.next === null ? null : writeCursor("notifications", page.next),
    });
  });
  router.all("/notifications", refuseMethod("GET, HEAD"));

  router.get("/notifications/:id", requireRole(requiredRoles.readNotifications), async (request, response) => {
    if (readQuery(request, response, emptyQuery) === null) return;
    const { id } = request.params;
    const found = idPattern.test(id) ? await queries.readNotification(id) : null;
    if (found === null) writeNotFound(response, "notification", id);
    else response.json(found);
  });
  router.all("/notifications/:id", refuseMethod("GET, HEAD"));

  router.get("/notifications/:id/body", requireRole(requiredRoles.readBodies), async (request, response) => {
    if (readQuery(request, response, emptyQuery) === null) return;
    const { id } = request.params;
    const body = idPattern.test(id) ? await bodies.readNotificationBody(id) : null;
    if (body === null) {
      writeNotFound(response, "notification", id);
      return;
    }
    // Travellers' data: who looked at what must be possible to find out later.
    logger.info(
      { actor: identityOf(request).actor, notificationId: id, bodyBytes: body.bytes.length },
      "notification.body_read",
    );
    sendStoredBody(response, body, `notification-${id}.json`);
  });
  router.all("/notifications/:id/body", refuseMethod("GET, HEAD"));

  router.post("/notifications/:id/replay", requireRole(requiredRoles.replayNotification), async (request, response) => {
    if (readQuery(request, response, emptyQuery) === null) return;
    const { id } = request.params;
    const outcome: ReplayOutcome = idPattern.test(id)
      ? await replay(id, identityOf(request).actor)
      : { outcome: "not-found" };
    writeReplayOutcome(response, id, outcome);
  });
  router.all("/notifications/:id/replay", refuseMethod("POST"));

  return router;
}

function writeReplayOutcome(response: Response, id: string, outcome: ReplayOutcome): void {
  switch (outcome.outcome) {
    case "released":
      response.status(202).json({ state: "released", cases: outcome.cases });
      return;
    case "not-found":
      writeNotFound(response, "notification", id);
      return;
    case "not-quarantined":
      writeProblem(response, {
        status: 409,
        code: "api.not_quarantined",
        title: "Not in quarantine",
        detail: `Notification ${id} is not in quarantine, or no longer. Read it again to see its cases.`,
      });
      return;
    case "unusable":
      writeProblem(response, {
        status: 422,
        code: outcome.problem.code,
        title: "Still no usable notification",
        detail: `${outcome.problem.message} It stays in quarantine.`,
        extensions: { path: outcome.problem.path },
      });
      return;
    default:
      assertNever(outcome);
  }
}
