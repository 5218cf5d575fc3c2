import { Router } from "express";
import helmet from "helmet";
import type { Clock } from "../kernel/clock.ts";
import { writeProblem } from "../kernel/problem-document.ts";
import type { Logger } from "../telemetry/logger.ts";
import { createErrorAnswer } from "./api/answer-error.ts";
import { requireToken } from "./api/authenticate.ts";
import { createCaseRoutes } from "./api/case-routes.ts";
import { refuseMethod } from "./api/exchange.ts";
import { createNotificationRoutes } from "./api/notification-routes.ts";
import { describeApi } from "./api/openapi.ts";
import type { ActOnCase, CaseQueries, ProcessStatus } from "./ports.ts";
import { createStatusPage } from "./status-page.ts";

export interface DashboardOptions {
  readonly queries: CaseQueries;
  readonly act: ActOnCase;
  /** Whether a bearer token opens the API. Compares in constant time. */
  readonly verifyToken: (token: string) => Promise<boolean>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly statusSnapshot: () => Promise<ProcessStatus>;
  /**
   * Whether the status page, which needs no sign-in, lists the newest cases. For demo mode, whose orders are invented;
   * otherwise it shows counts only.
   */
  readonly showOrders?: boolean;
  /** The URL under which people reach the agency side, for the API description; never taken from the Host header. */
  readonly publicUrl?: string;
}

/**
 * The agency side that people and programs look at: the status page at `/`, `/api/v1` behind a bearer token, and
 * `/openapi.json`. Mount it at the root; what it does not know it passes on.
 */
export function createDashboard(options: DashboardOptions): Router {
  const { queries, act, verifyToken, clock, logger } = options;
  const router = Router();

  const api = Router();
  // Nothing that the API answers is a page.
  api.use(helmet({ contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"] } } }));
  api.use((_request, response, next) => {
    response.setHeader("Cache-Control", "no-store");
    next();
  });
  api.use(requireToken(verifyToken));
  api.use(createCaseRoutes({ queries, act, clock }));
  api.use(createNotificationRoutes(queries));
  api.use((_request, response) => {
    writeProblem(response, {
      status: 404,
      code: "api.no_such_route",
      title: "No such route",
      detail: "The API has no such path. /openapi.json lists what it has.",
    });
  });
  router.use("/api/v1", api);

  const description = describeApi(options.publicUrl === undefined ? {} : { serverUrl: options.publicUrl });
  router.get("/openapi.json", (_request, response) => {
    response.setHeader("Cache-Control", "no-cache");
    response.json(description);
  });
  router.all("/openapi.json", refuseMethod("GET, HEAD"));

  router.use(createStatusPage(options));
  router.use(createErrorAnswer(logger));
  return router;
}
