import type { RouteTypes } from "../../http/route.ts";
import { assigneeRoutes } from "./assignee-routes.ts";
import { auditRoutes } from "./audit-routes.ts";
import { automationRoutes } from "./automation-routes.ts";
import { blockedOrderRoutes } from "./blocked-order-routes.ts";
import { bulkRoutes } from "./bulk-routes.ts";
import { callRoutes } from "./call-routes.ts";
import { caseRoutes } from "./case-routes.ts";
import { countRoutes } from "./count-routes.ts";
import { csvRoutes } from "./csv-routes.ts";
import { eventRoutes } from "./event-routes.ts";
import { installationRoutes } from "./installation-routes.ts";
import { memberRoutes } from "./member-routes.ts";
import { noticeRoutes } from "./notice-routes.ts";
import { notificationRoutes } from "./notification-routes.ts";
import { orderRoutes } from "./order-routes.ts";
import { overviewRoutes } from "./overview-routes.ts";
import { ownSessionRoutes } from "./own-session-routes.ts";
import { policyRoutes } from "./policy-routes.ts";
import { secondFactorAdminRoutes, type secondFactorRoutes } from "./second-factor-routes.ts";
import type { sessionRoutes, signInRoutes } from "./session-routes.ts";
import { taskRoutes } from "./task-routes.ts";
import { tokenRoutes } from "./token-routes.ts";
import { travellerRoutes } from "./traveller-routes.ts";
import { userRoutes } from "./user-routes.ts";
import { viewRoutes } from "./view-routes.ts";

/** The routes of `/api/v1` behind `requireOwnPassword` and `requireSecondFactor`, without those of outgoing events. */
export const apiRoutes = {
  ...caseRoutes,
  ...callRoutes,
  ...travellerRoutes,
  ...eventRoutes,
  ...blockedOrderRoutes,
  ...countRoutes,
  ...overviewRoutes,
  ...taskRoutes,
  ...viewRoutes,
  ...assigneeRoutes,
  ...bulkRoutes,
  ...notificationRoutes,
  ...noticeRoutes,
  ...orderRoutes,
  ...policyRoutes,
  ...automationRoutes,
  ...memberRoutes,
  ...ownSessionRoutes,
  ...userRoutes,
  ...secondFactorAdminRoutes,
  ...tokenRoutes,
  ...auditRoutes,
  ...installationRoutes,
  ...csvRoutes,
};

/** By method and path, for clients. */
export type ApiTypes = RouteTypes<
  typeof apiRoutes & typeof sessionRoutes & typeof secondFactorRoutes & typeof signInRoutes
>;
