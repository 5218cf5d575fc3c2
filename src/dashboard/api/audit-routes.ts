import { problem, success } from "../../http/route.ts";
import { requiredRoles } from "../people/required-roles.ts";
import type { AuditTrail } from "../ports.ts";
import { route } from "./api-surface.ts";
import { auditListQuery } from "./audit-requests.ts";
import { auditList } from "./audit-responses.ts";

export const auditTag = "Audit";

export const auditRoutes = [
  route({
    method: "get",
    path: "/audit",
    role: requiredRoles.readAudit,
    operationId: "listAudit",
    tag: auditTag,
    summary: "Who did what to which order, newest first, as ids only",
    query: auditListQuery,
    responses: {
      200: success("One page.", auditList),
      400: problem("The query or the path cannot be read.", "api.query_invalid", "api.bad_request"),
    },
    async handle({ query }, { audit }: { readonly audit: AuditTrail }) {
      const { since = null, until = null, caseId = null, orderId = null, kind = null, actor = null } = query;
      const filter = { since, until, caseId, orderId, kind, actor };
      const page = await audit.listEntries(filter, { before: query.cursor ?? null, limit: query.limit });
      return { body: { items: page.items, nextCursor: page.next === null ? null : String(page.next) } };
    },
  }),
] as const;
