import { Router } from "express";
import type { CaseQueries } from "../ports.ts";
import { readCursor, writeCursor } from "./cursor.ts";
import { readQuery, refuseMethod, writeBadCursor, writeNotFound } from "./exchange.ts";
import { emptyQuery, idPattern, notificationListQuery } from "./requests.ts";

/** `/notifications` and `/notifications/:id`. Bodies are not shown: they hold passenger data. */
export function createNotificationRoutes(queries: CaseQueries): Router {
  const router = Router();

  router.get("/notifications", async (request, response) => {
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

  router.get("/notifications/:id", async (request, response) => {
    if (readQuery(request, response, emptyQuery) === null) return;
    const id = request.params.id;
    const found = idPattern.test(id) ? await queries.readNotification(id) : null;
    if (found === null) writeNotFound(response, "notification", id);
    else response.json(found);
  });
  router.all("/notifications/:id", refuseMethod("GET, HEAD"));

  return router;
}
