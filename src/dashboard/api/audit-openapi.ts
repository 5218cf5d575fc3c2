import type { ApiParts } from "../../contract/openapi/api-parts.ts";
import type { Json } from "../../contract/openapi/schema-collection.ts";
import { describeReadProblems, apiSecurity as security } from "./api-answers.ts";
import { auditList } from "./audit-answers.ts";
import { auditListQuery } from "./audit-requests.ts";

/** The tag of the audit. */
export const auditTag = "Audit";

/** The path of the audit. */
export function describeAuditPaths(parts: ApiParts): Json {
  return {
    "/api/v1/audit": {
      get: {
        operationId: "listAudit",
        tags: [auditTag],
        summary: "Who did what to which order, newest first, as ids only. Needs the role admin",
        security,
        parameters: parts.parametersOf(auditListQuery),
        responses: { 200: parts.answer("One page.", auditList), ...describeReadProblems(parts) },
      },
    },
  };
}
