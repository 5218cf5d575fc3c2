import type { RequestListener } from "node:http";
import type express from "express";
import { type ControlAccess, createControlCheck } from "../gateway/control-check.ts";
import type { Gateway } from "../gateway/gateway.ts";
import { createControlSessions } from "../gateway/sessions/control-sessions.ts";
import { createSessionCheck, createSessionRouter } from "../gateway/sessions/session-router.ts";
import { createTokenGuesses } from "../gateway/sessions/token-guesses.ts";
import { logRefusals } from "../http/log-refusals.ts";
import { writeProblem } from "../http/problem-document.ts";
import { AppError, codeOf, messageOf } from "../kernel/app-error.ts";
import { systemClock } from "../kernel/clock.ts";
import { Secret } from "../kernel/secret.ts";
import { createSecretVerifier } from "../kernel/secret-verifier.ts";
import { createRecipientRouter } from "../sender/notification-routes.ts";
import { asTx, inTransaction } from "../store/database/transaction.ts";
import { createRecipientStore } from "../store/deliveries/recipients.ts";
import { createResendStore } from "../store/deliveries/resends.ts";
import type { Logger } from "../telemetry/logger.ts";
import { createApiReference } from "./api-reference.ts";
import { compressResponses } from "./compress-responses.ts";
import { createGatewayCookie, createGatewayPages } from "./gateway-pages.ts";
import { createApplication, listen, takesAnyHost } from "./http-server.ts";
import { describeGatewaySide, describeSenderSide } from "./openapi-documents.ts";
import type { ProcessParts } from "./process-parts.ts";

/**
 * Serves `GATEWAY_PORT`: `/control` with what the sender has there, the pages, and the gateway if there is one.
 * @param openGateway null in a process without the role `gateway`.
 */
export async function serveGatewaySide<T extends Gateway | null>(
  parts: ProcessParts,
  controlToken: string,
  openGateway: (access: ControlAccess) => T,
): Promise<T> {
  const { configuration, logger, shutdown, urls } = parts;
  const { settings } = configuration;
  const verifier = createSecretVerifier([new Secret(controlToken)]);
  const sessions = createControlSessions(systemClock);
  const cookie = createGatewayCookie(settings.TRUSTED_PROXIES ?? []);
  const access: ControlAccess = {
    verifyToken: (token, network) => verifier.verify(token, network),
    addressOf: parts.clientAddress,
    isSignedIn: createSessionCheck({ sessions, cookie }),
  };
  const gateway = openGateway(access);
  const signIn = createSessionRouter({
    ...access,
    sessions,
    guesses: createTokenGuesses(systemClock),
    cookie,
    logger,
  });
  const app = createApplication();
  app.use(logRefusals({ logger, clock: systemClock, addressOf: parts.clientAddress }));
  app.use("/control", compressResponses, signIn, gateway?.control ?? createControlCheck(access));
  app.use("/control", createRecipients(parts), gateway === null ? refuseGatewayRoute : refuseControlRoute);
  app.use(createApiReference(() => (gateway === null ? describeSenderSide() : describeGatewaySide())));
  app.use(createGatewayPages(configuration));
  app.use(compressResponses, gateway?.router ?? refuseGatewayRoute);
  app.use(handleUnforeseen(logger));
  const server = await listen(app as RequestListener, {
    host: settings.HOST,
    port: settings.GATEWAY_PORT,
    setting: "GATEWAY_PORT",
    trustedProxies: settings.TRUSTED_PROXIES,
    takesAnyHost: takesAnyHost(settings),
  });
  // This process's workers may need it until they finish.
  shutdown.add("connections", "gateway side", () => server.close());
  urls.gateway = server.url;
  return gateway;
}

function createRecipients({ database, guard, logger, clientAddress, sender }: ProcessParts): express.Router {
  const notifications = sender();
  return createRecipientRouter({
    store: createRecipientStore({ database, clock: systemClock }),
    resends: createResendStore({ database, clock: systemClock }),
    tester: notifications,
    announce: (announcement) => inTransaction(database, (trx) => notifications.announce(asTx(trx), announcement)),
    clock: systemClock,
    guard,
    addressOf: clientAddress,
    logger,
  });
}

const refuseControlRoute: express.RequestHandler = (_request, response) => {
  writeProblem(response, {
    status: 404,
    code: "gateway.no_such_route",
    title: "No such route",
    detail: "The control side has no such path. docs/gateway.md lists what it has.",
  });
};

const refuseGatewayRoute: express.RequestHandler = (_request, response) => {
  writeProblem(response, {
    status: 404,
    code: "gateway.no_such_route",
    title: "No such route",
    detail:
      "This process has no gateway: it serves /control/recipients, /control/missed, /control/notifications, /control/deliveries, /control/replays and /control/traffic. Orders and operations need the role gateway (ROLES).",
  });
};

/** Without this, Express would show the caller a stack trace. */
function handleUnforeseen(logger: Logger): express.ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    logger.error({ path: request.path, code: codeOf(error), error: messageOf(error) }, "gateway.request_failed");
    const passing = error instanceof AppError && error.retryable;
    writeProblem(response, {
      status: passing ? 503 : 500,
      code: passing ? error.code : "unexpected",
      title: passing ? "Not available" : "Unexpected error",
      detail: passing ? error.message : "See the log of the gateway.",
    });
  };
}
