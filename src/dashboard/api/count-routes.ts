import { Router } from "express";
import type { CountWork } from "../count-ports.ts";
import { requiredRoles } from "../people/needed-roles.ts";
import { readQuery, refuseMethod } from "./exchange.ts";
import { identityOf } from "./identity.ts";
import { emptyQuery } from "./requests.ts";
import { requireRole } from "./require-role.ts";

/** `/counts`: how much waits for people. */
export function createCountRoutes({ countWork }: { countWork: CountWork }): Router {
  const router = Router();

  router.get("/counts", requireRole(requiredRoles.readCases), async (request, response) => {
    if (readQuery(request, response, emptyQuery) === null) return;
    response.json(await countWork(identityOf(request).actor));
  });
  router.all("/counts", refuseMethod("GET, HEAD"));

  return router;
}
