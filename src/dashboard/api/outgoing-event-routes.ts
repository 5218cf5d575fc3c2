import { Router } from "express";
import { refuseMethod } from "../../http/mount-routes.ts";
import { requiredRoles } from "../people/needed-roles.ts";
import { checkRole } from "./api-surface.ts";

/** The paths of the agency's own outgoing events, and the methods that each has. */
const methods: Readonly<Record<string, string>> = {
  "/recipients": "GET, HEAD, POST",
  "/recipients/:id": "GET, HEAD, PATCH, DELETE",
  "/recipients/:id/test": "POST",
  "/deliveries": "GET, HEAD",
  "/deliveries/:id": "GET, HEAD",
  "/deliveries/:id/attempts": "GET, HEAD",
  "/deliveries/:id/replay": "POST",
  "/replays": "GET, HEAD, POST",
  "/replays/:id": "GET, HEAD, DELETE",
};

const reading: readonly string[] = ["GET", "HEAD"];

/** Lets those who may at the routes of outgoing events, and refuses methods that these do not have. */
export function createOutgoingEventRoutes(routes: Router): Router {
  const router = Router();
  router.use(["/recipients", "/deliveries", "/replays"], (request, response, next) => {
    const { readOutgoingEvents, changeOutgoingEvents } = requiredRoles;
    const needed = reading.includes(request.method) ? readOutgoingEvents : changeOutgoingEvents;
    if (checkRole(request, response, needed)) next();
  });
  router.use(routes);
  for (const [path, allow] of Object.entries(methods)) router.all(path, refuseMethod(allow));
  return router;
}
