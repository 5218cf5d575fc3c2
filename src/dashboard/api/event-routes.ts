import { Router } from "express";
import { writeProblem } from "../../kernel/problem-document.ts";
import type { EventStreams } from "../event-streams.ts";
import { requiredRoles } from "../people/needed-roles.ts";
import { readQuery, refuseMethod } from "./exchange.ts";
import { emptyQuery } from "./requests.ts";
import { requireRole } from "./require-role.ts";

/** `/events`: which cases change, as it happens. */
export function createEventRoutes(events: EventStreams): Router {
  const router = Router();

  router.get("/events", requireRole(requiredRoles.followEvents), (request, response) => {
    if (readQuery(request, response, emptyQuery) === null) return;
    if (request.method === "HEAD") {
      response.setHeader("Content-Type", "text/event-stream; charset=utf-8");
      response.end();
      return;
    }
    if (events.open(response)) return;
    writeProblem(
      response,
      {
        status: 503,
        code: "api.no_stream_free",
        title: "No stream is free",
        detail: "This process serves as many event streams as it may, or is stopping. Read the list again instead.",
      },
      { "Retry-After": "10" },
    );
  });
  router.all("/events", refuseMethod("GET, HEAD"));

  return router;
}
