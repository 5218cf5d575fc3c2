import { Router } from "express";
import helmet from "helmet";
import type { OwnAddresses } from "../contract/addressee.ts";
import type { Dialect } from "../contract/dialect.ts";
import type { ClientAddressOf } from "../http/client-address.ts";
import { createGuessLimit } from "../http/guess-limit.ts";
import { logRefusals } from "../http/log-refusals.ts";
import { mountRoutes, refuseOtherMethods } from "../http/mount-routes.ts";
import { writeProblem } from "../http/problem-document.ts";
import { createSessionCookie } from "../http/session-cookie.ts";
import type { Clock } from "../kernel/clock.ts";
import type { EncryptionKey } from "../kernel/encryption-keys.ts";
import type { Logger } from "../telemetry/logger.ts";
import { apiSurface, openSurface, outgoingEventRoles } from "./api/api-surface.ts";
import { authenticate, requireOwnPassword, requireSecondFactor } from "./api/authenticate.ts";
import { createErrorHandler } from "./api/error-response.ts";
import { userIdOf } from "./api/identity.ts";
import { createOwnOriginCheck } from "./api/own-origin.ts";
import { apiRoutes } from "./api/routes.ts";
import { secondFactorRoutes } from "./api/second-factor-routes.ts";
import { sessionRoutes, signInRoutes } from "./api/session-routes.ts";
import type { ListAssignees } from "./assignee-ports.ts";
import type { AuditTrail, RecordExport, VerifyAuditPart } from "./audit-ports.ts";
import type { Automation } from "./automation-ports.ts";
import type { PolicyBacktests } from "./backtest-ports.ts";
import type { BlockedOrders } from "./blocked-order-ports.ts";
import type { StoredBodies } from "./body-ports.ts";
import type { BulkActions } from "./bulk-ports.ts";
import type { ActOnCase, CaseQueries, ChangeReader } from "./case-ports.ts";
import type { CountWork } from "./count-ports.ts";
import type { EventStreams } from "./event-streams.ts";
import type { Installation } from "./installation-ports.ts";
import type { Members } from "./member-ports.ts";
import type { Notices } from "./notice-ports.ts";
import type { Quarantine } from "./notification-ports.ts";
import type { Orders } from "./order-ports.ts";
import type { OverviewQueries } from "./overview-ports.ts";
import type { IdentityProvider } from "./people/identity-provider.ts";
import type { People } from "./people/people.ts";
import type { SecondFactors } from "./people/second-factors.ts";
import type { Policies } from "./policy-ports.ts";
import { createProviderSignIn } from "./provider-sign-in.ts";
import { createReprocess } from "./reprocess-notification.ts";
import type { Tasks } from "./task-ports.ts";
import type { Views } from "./view-ports.ts";
import { createWebPages, type OfferedUser } from "./web-pages.ts";

export interface DashboardOptions {
  /** The ids of all configured sources. */
  readonly sourceIds: readonly string[];
  readonly queries: CaseQueries;
  readonly blockedOrders: BlockedOrders;
  readonly countWork: CountWork;
  readonly overview: OverviewQueries;
  readonly changes: ChangeReader;
  readonly bodies: StoredBodies;
  readonly act: ActOnCase;
  readonly bulk: BulkActions;
  readonly tasks: Tasks;
  readonly listAssignees: ListAssignees;
  readonly views: Views;
  readonly orders: Orders;
  readonly notices: Notices;
  readonly policies: Policies;
  readonly backtests: PolicyBacktests;
  readonly automation: Automation;
  readonly members: Members;
  readonly audit: AuditTrail;
  readonly verifyAudit: VerifyAuditPart;
  readonly recordExport: RecordExport;
  readonly installation: Installation;
  readonly quarantine: Quarantine;
  /** At which addresses no traveller of a source is reached. */
  readonly ownAddressesOf: (source: string) => OwnAddresses;
  /** How the gateways write. */
  readonly dialect: Dialect;
  /** The most orders of one notification; it counts for reprocessing too. */
  readonly orderLimit: number;
  /** SECOND_PERSON_ABOVE; null if one person is always enough. */
  readonly secondPersonAbove: string | null;
  /** The caller publishes into it and closes it. */
  readonly events: EventStreams;
  readonly people: People;
  readonly secondFactors: SecondFactors;
  /** The sender's routes for the agency's outgoing events. Their roles are set here. */
  readonly outgoingEvents: (access: OutgoingEventAccess) => Router;
  /** Whether a bearer token is API_TOKEN. Compares in constant time. */
  readonly verifyToken: (token: string, network: string) => Promise<boolean>;
  readonly addressOf: ClientAddressOf;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Users that the sign-in page offers. Demo mode only. */
  readonly offeredUsers?: readonly OfferedUser[];
  readonly demo?: boolean;
  /** Signs people in through OpenID Connect. */
  readonly identityProvider?: IdentityProvider | null;
  /** Encrypt sign-ins under way; needed with a provider. */
  readonly encryptionKeys?: readonly EncryptionKey[];
  /** PUBLIC_URL; never taken from the Host header. */
  readonly publicUrl?: string;
}

/**
 * Wrong credentials that one network may send per minute. Programs with an expired token retry about once a minute.
 */
const wrongCredentialsPerMinute = 60;

type OutgoingEventAccess = typeof outgoingEventRoles & Pick<typeof apiSurface, "authorize" | "callerOf">;

/** Serves the pages at `/` and the API at `/api/v1`. Mount it at the root; it passes other requests on. */
export function createDashboard(options: DashboardOptions): Router {
  const { people, addressOf, clock, logger, identityProvider = null, encryptionKeys = [], offeredUsers = [] } = options;
  const needs = apiNeeds(options);
  const router = Router();
  router.use("/api/v1", createApi(needs));
  if (identityProvider !== null) {
    const { cookie, browserCookie, secure } = needs;
    router.use(
      createProviderSignIn({
        identityProvider,
        encryptionKeys,
        people,
        cookie,
        browserCookie,
        secure,
        addressOf,
        clock,
        logger,
      }),
    );
  }
  router.use(createWebPages({ offeredUsers, offeredProvider: identityProvider?.name ?? null }));
  router.use(createErrorHandler(logger));
  return router;
}

type ApiNeeds = ReturnType<typeof apiNeeds>;

/** What the routes of the API need beside the options. */
function apiNeeds(options: DashboardOptions) {
  const { publicUrl, quarantine, dialect, orderLimit, logger } = options;
  const secure = publicUrl !== undefined && new URL(publicUrl).protocol === "https:";
  return {
    ...options,
    secure,
    cookie: createSessionCookie({ secure }),
    // Lax, because browsers come back from an identity provider with it.
    browserCookie: createSessionCookie({ secure, name: "skedchange_browser", sameSite: "Lax" }),
    isOwnOrigin: createOwnOriginCheck(publicUrl),
    demo: options.demo === true,
    reprocess: createReprocess({ quarantine, dialect, orderLimit, logger }),
  };
}

function createApi(needs: ApiNeeds): Router {
  const { addressOf, clock, logger } = needs;
  const guesses = createGuessLimit(wrongCredentialsPerMinute, clock);
  const api = Router();
  api.use(logRefusals({ logger, clock, addressOf, userIdOf }));
  api.use(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
      },
    }),
  );
  api.use((_request, response, next) => {
    response.setHeader("Cache-Control", "no-store");
    next();
  });
  mountRoutes(api, signInRoutes, openSurface, needs);
  api.use(authenticate({ ...needs, guesses }));
  mountRoutes(api, sessionRoutes, apiSurface, needs);
  api.use(requireOwnPassword);
  mountRoutes(api, secondFactorRoutes, apiSurface, needs);
  api.use(requireSecondFactor);
  mountRoutes(api, apiRoutes, apiSurface, needs);
  refuseOtherMethods(api, { ...signInRoutes, ...sessionRoutes, ...secondFactorRoutes, ...apiRoutes });
  api.use(needs.outgoingEvents({ ...apiSurface, ...outgoingEventRoles }));
  api.use((_request, response) => {
    writeProblem(response, {
      status: 404,
      code: "api.no_such_route",
      title: "No such route",
      detail: "The API has no such path. /openapi.json lists what it has.",
    });
  });
  return api;
}
