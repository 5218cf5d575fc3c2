import { Router } from "express";
import type { LaneQueries } from "../lane-ports.ts";
import { requiredRoles } from "../people/needed-roles.ts";
import { readCursor, writeCursor } from "./cursor.ts";
import { readQuery, refuseMethod, writeBadCursor } from "./exchange.ts";
import { laneListQuery } from "./lane-openapi.ts";
import { requireRole } from "./require-role.ts";

/** `/lanes`: orders on which no work gets done, and why. */
export function createLaneRoutes({ lanes }: { lanes: LaneQueries }): Router {
  const router = Router();

  router.get("/lanes", requireRole(requiredRoles.readCases), async (request, response) => {
    const query = readQuery(request, response, laneListQuery);
    if (query === null) return;
    const after = query.cursor === undefined ? null : readCursor("lanes", query.cursor);
    if (query.cursor !== undefined && after === null) {
      writeBadCursor(response);
      return;
    }
    const page = await lanes.listBlocked({ source: query.source ?? null, after, limit: query.limit });
    response.json({
      items: page.items,
      nextCursor: page.next === null ? null : writeCursor("lanes", page.next),
    });
  });
  router.all("/lanes", refuseMethod("GET, HEAD"));

  return router;
}
