import { problem, routes, success } from "../../http/route.ts";
import { type AuditTrail, auditList, auditPart, type VerifyAuditPart } from "../audit-ports.ts";
import { requiredRoles } from "../people/required-roles.ts";
import { route } from "./api-surface.ts";
import { auditListQuery, auditPartQuery } from "./audit-requests.ts";

export const auditTag = { name: "Audit", description: "Who did what, in a chain of hashes." };

export const auditRoutes = routes(auditTag.name, {
  listAudit: route("GET /audit", requiredRoles.readAudit, {
    summary: "Who did what to which order, newest first, as ids only",
    query: auditListQuery,
    responses: {
      200: success("One page.", auditList),
      400: problem("The query or the path cannot be read.", "api.query_invalid", "api.bad_request"),
    },
    async handle({ query }, { audit }: { readonly audit: AuditTrail }) {
      const { cursor: before = null, limit, ...filter } = query;
      const page = await audit.listEntries(filter, { before, limit });
      return { body: { items: page.items, nextCursor: page.next === null ? null : String(page.next) } };
    },
  }),
  verifyAudit: route("GET /audit/verification", requiredRoles.readAudit, {
    summary: "Recomputes about 10,000 entries of the chain of the audit",
    description:
      "`skedchange audit verify` does the same for the whole chain at once, and can compare it with a head that was kept elsewhere.",
    query: auditPartQuery,
    responses: { 200: success("What was checked, and the first violation.", auditPart) },
    async handle({ query }, { verifyAudit }: { readonly verifyAudit: VerifyAuditPart }) {
      return { body: await verifyAudit(query.from ?? null) };
    },
  }),
});
