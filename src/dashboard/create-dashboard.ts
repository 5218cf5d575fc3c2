import { Router } from "express";
import helmet from "helmet";
import type { Clock } from "../kernel/clock.ts";
import { writeProblem } from "../kernel/problem-document.ts";
import type { Logger } from "../telemetry/logger.ts";
import { createErrorAnswer } from "./api/answer-error.ts";
import { authenticate } from "./api/authenticate.ts";
import { createCallRoutes } from "./api/call-routes.ts";
import { createCaseRoutes } from "./api/case-routes.ts";
import { createEventRoutes } from "./api/event-routes.ts";
import { createNotificationRoutes } from "./api/notification-routes.ts";
import { createOwnOriginCheck } from "./api/own-origin.ts";
import { createPolicyRoutes } from "./api/policy-routes.ts";
import { createSessionCookie } from "./api/session-cookie.ts";
import { createSessionRoutes, createSignInRoute } from "./api/session-routes.ts";
import { createTokenRoutes } from "./api/token-routes.ts";
import { createUserRoutes } from "./api/user-routes.ts";
import type { EventStreams } from "./event-streams.ts";
import type { People } from "./people/people.ts";
import type {
  ActOnCase,
  CaseQueries,
  ChangeReader,
  Policies,
  ProcessStatus,
  Quarantine,
  StoredBodies,
} from "./ports.ts";
import { createReplay } from "./replay-notification.ts";
import { createStatusPage } from "./status-page.ts";
import { builtPagesFolder, createWebPages, type OfferedUser } from "./web-pages.ts";

export interface DashboardOptions {
  readonly queries: CaseQueries;
  readonly changes: ChangeReader;
  readonly bodies: StoredBodies;
  readonly act: ActOnCase;
  readonly policies: Policies;
  readonly quarantine: Quarantine;
  /** Who publishes into it, and closes it when the process stops, is the caller's to join. */
  readonly events: EventStreams;
  readonly people: People;
  /** Whether a bearer token is API_TOKEN. Compares in constant time. */
  readonly verifyToken: (token: string) => Promise<boolean>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly statusSnapshot: () => Promise<ProcessStatus>;
  /**
   * Whether the status page, which needs no sign-in, lists the newest cases. For demo mode, whose orders are invented;
   * otherwise it shows counts only.
   */
  readonly showOrders?: boolean;
  /** The folder of the built pages; not given: where the build puts them. */
  readonly webFolder?: string;
  /** Users that the sign-in page offers to click, with their passwords. Demo mode only. */
  readonly offeredUsers?: readonly OfferedUser[];
  /** Whether this is demo mode, for people to be told. */
  readonly demo?: boolean;
  /** The URL under which people reach the agency side; never taken from the Host header. */
  readonly publicUrl?: string;
}

/**
 * The agency side that people and programs look at: the pages at `/`, the status page at `/status`, `/api/v1` for people who are signed in
 * and for bearers of tokens. Mount it at the root; what it does not know it passes on.
 */
export function createDashboard(options: DashboardOptions): Router {
  const { queries, changes, bodies, act, quarantine, events, people, verifyToken, clock, logger } = options;
  const router = Router();

  const api = Router();
  // Nothing that the API answers is a page.
  api.use(helmet({ contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"] } } }));
  api.use((_request, response, next) => {
    response.setHeader("Cache-Control", "no-store");
    next();
  });
  const secure = options.publicUrl !== undefined && new URL(options.publicUrl).protocol === "https:";
  const cookie = createSessionCookie({ secure });
  const isOwnOrigin = createOwnOriginCheck(options.publicUrl);
  const demo = options.demo === true;
  api.use(createSignInRoute({ people, cookie, isOwnOrigin }));
  api.use(authenticate({ people, verifyToken, cookie, isOwnOrigin, demo }));
  api.use(createSessionRoutes({ people, cookie, demo }));
  api.use(createUserRoutes({ people, logger }));
  api.use(createTokenRoutes({ people, logger }));
  api.use(createCaseRoutes({ queries, changes, act, clock }));
  api.use(createCallRoutes({ bodies, logger }));
  api.use(createNotificationRoutes({ queries, bodies, replay: createReplay({ quarantine, logger }), logger }));
  api.use(createPolicyRoutes({ policies: options.policies }));
  api.use(createEventRoutes(events));
  api.use((_request, response) => {
    writeProblem(response, {
      status: 404,
      code: "api.no_such_route",
      title: "No such route",
      detail: "The API has no such path. /openapi.json lists what it has.",
    });
  });
  router.use("/api/v1", api);

  router.use(createStatusPage(options));
  router.use(
    createWebPages({ folder: options.webFolder ?? builtPagesFolder, offeredUsers: options.offeredUsers ?? [] }),
  );
  router.use(createErrorAnswer(logger));
  return router;
}
