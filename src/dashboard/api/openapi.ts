import type { ApiDescription, ApiParts } from "../../contract/openapi/api-parts.ts";
import { describeRoutes } from "../../http/describe-routes.ts";
import { describedApi } from "./api-surface.ts";
import { auditTag } from "./audit-routes.ts";
import { casesTag } from "./case-routes.ts";
import { installationTag } from "./installation-routes.ts";
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
      {
        name: casesTag,
        description:
          "The open work on orders. An unknown path of the API gets 404 `api.no_such_route`, another method with 405 `api.method_not_allowed`.",
      },
      { name: workTag, description: "What is left to do when cases are done, and actions on many cases." },
      { name: notificationsTag, description: "What was received." },
      { name: noticeTag, description: "Messages that tell people that cases wait." },
      { name: orderTag, description: "What was sold, as the agency states it." },
      {
        name: policyTag,
        description: "The rules that decide, what others would have decided, and the switch that stops their effects.",
      },
      { name: peopleTag, description: "Sessions, users and personal tokens." },
      { name: auditTag, description: "Who did what, in a chain of hashes." },
      { name: installationTag, description: "What runs, with which settings, and how it is." },
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
