import { Router } from "express";
import { requiredRoles } from "../people/needed-roles.ts";
import type { AuditTrail } from "../ports.ts";
import { auditListQuery } from "./audit-requests.ts";
import { readQuery, refuseMethod } from "./exchange.ts";
import { requireRole } from "./require-role.ts";

/** `/audit`: who did what, newest first. */
export function createAuditRoutes({ audit }: { readonly audit: AuditTrail }): Router {
  const router = Router();
  router.get("/audit", requireRole(requiredRoles.readAudit), async (request, response) => {
    const query = readQuery(request, response, auditListQuery);
    if (query === null) return;
    const { since, until, caseId, orderId, kind, actor, cursor, limit } = query;
    const page = await audit.listEntries(
      {
        since: since ?? null,
        until: until ?? null,
        caseId: caseId ?? null,
        orderId: orderId ?? null,
        kind: kind ?? null,
        actor: actor ?? null,
      },
      { before: cursor ?? null, limit },
    );
    response.json({ items: page.items, nextCursor: page.next === null ? null : String(page.next) });
  });
  router.all("/audit", refuseMethod("GET, HEAD"));
  return router;
}
