import { Router } from "express";
import { writeProblem } from "../../kernel/problem-document.ts";
import type { Orders } from "../order-ports.ts";
import { requiredRoles } from "../people/needed-roles.ts";
import { readQuery, refuseMethod, writeNotFound } from "./exchange.ts";
import { identityOf } from "./identity.ts";
import { parseJsonBody, readBody } from "./json-body.ts";
import { orderImportBody, orderQuery } from "./order-requests.ts";
import { emptyQuery } from "./requests.ts";
import { requireRole } from "./require-role.ts";

/** `/orders` and `/orders/:orderId`. */
export function createOrderRoutes({ orders }: { readonly orders: Orders }): Router {
  const router = Router();

  router.post("/orders", requireRole(requiredRoles.importOrders), parseJsonBody, async (request, response) => {
    if (readQuery(request, response, emptyQuery) === null) return;
    const body = readBody(request, response, orderImportBody);
    if (body === null) return;
    const results = await orders.importOrders({ ...body, actor: identityOf(request).actor });
    if (results === null) {
      writeProblem(response, {
        status: 422,
        code: "api.unknown_source",
        title: "No such source",
        detail: `There is no source '${body.source}'. Name one of SOURCES_FILE, or leave it out for the default one.`,
      });
      return;
    }
    response.json({ dryRun: body.dryRun, results });
  });
  router.all("/orders", refuseMethod("POST"));

  router.get("/orders/:orderId", requireRole(requiredRoles.readCases), async (request, response) => {
    const query = readQuery(request, response, orderQuery);
    if (query === null) return;
    const { orderId } = request.params;
    const found = orderId.includes("\0") ? null : await orders.readOrder(query.source, orderId);
    if (found === null) writeNotFound(response, "order", orderId);
    else response.json(found);
  });
  router.all("/orders/:orderId", refuseMethod("GET, HEAD"));

  return router;
}
