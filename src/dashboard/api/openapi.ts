import type { ApiDescription, ApiParts } from "../../contract/openapi/api-parts.ts";
import { describeRoutes } from "../../http/describe-routes.ts";
import { describedApi } from "./api-surface.ts";
import { auditTag } from "./audit-routes.ts";
import { casesTag } from "./case-routes.ts";
import { installationTag } from "./installation-routes.ts";
import { memberTag } from "./member-routes.ts";
import { noticeTag } from "./notice-routes.ts";
import { notificationsTag } from "./notification-routes.ts";
import { orderTag } from "./order-routes.ts";
import { policyTag } from "./policy-routes.ts";
import { apiRoutes } from "./routes.ts";
import { secondFactorRoutes } from "./second-factor-routes.ts";
import { peopleTag, sessionRoutes, signInRoutes } from "./session-routes.ts";
import { workTag } from "./task-routes.ts";

export function describeApi(parts: ApiParts): ApiDescription {
  return {
    tags: [
      casesTag,
      workTag,
      notificationsTag,
      noticeTag,
      orderTag,
      policyTag,
      memberTag,
      peopleTag,
      auditTag,
      installationTag,
    ],
    paths: describeRoutes(
      parts,
      { ...signInRoutes, ...sessionRoutes, ...secondFactorRoutes, ...apiRoutes },
      describedApi,
    ),
    securitySchemes: {
      apiToken: { type: "http", scheme: "bearer", description: "API_TOKEN, or a personal API token." },
      session: {
        type: "apiKey",
        in: "cookie",
        name: "skedchange_session",
        description:
          "Set by POST /api/v1/session; behind HTTPS its name begins with `__Host-`. What changes something must then carry the header Origin of the dashboard.",
      },
    },
  };
}
