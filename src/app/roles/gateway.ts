import type { RequestListener } from "node:http";
import type express from "express";
import { createGateway, type Gateway } from "../../gateway/gateway.ts";
import { createControlSessions } from "../../gateway/sessions/control-sessions.ts";
import { createSessionCheck, createSessionRouter } from "../../gateway/sessions/session-router.ts";
import { createTokenGuesses } from "../../gateway/sessions/token-guesses.ts";
import { createSimulatedSupply } from "../../gateway/supply/simulated/simulated-supply.ts";
import { worldSeed } from "../../gateway/supply/simulated/world-seed.ts";
import { withFixedRoutes } from "../../gateway/supply/with-fixed-routes.ts";
import { logRefusals } from "../../http/log-refusals.ts";
import { writeProblem } from "../../http/problem-document.ts";
import { AppError, codeOf, messageOf } from "../../kernel/app-error.ts";
import { systemClock } from "../../kernel/clock.ts";
import { Secret } from "../../kernel/secret.ts";
import { createSecretVerifier } from "../../kernel/secret-verifier.ts";
import { createRecipientRouter } from "../../sender/notification-routes.ts";
import { createRecipientStore } from "../../store/deliveries/recipients.ts";
import { createResendStore } from "../../store/deliveries/resends.ts";
import { createChangeHistory } from "../../store/gateway/gateway-changes.ts";
import { createGatewayOrderStore } from "../../store/gateway/gateway-orders.ts";
import { createServiceSwitches } from "../../store/gateway/gateway-services.ts";
import { createShoppingStore } from "../../store/gateway/shopping-responses.ts";
import type { Logger } from "../../telemetry/logger.ts";
import { createApiReference } from "../api-reference.ts";
import { compressResponses } from "../compress-responses.ts";
import { createGatewayCookie, createGatewayPages } from "../gateway-pages.ts";
import { createApplication, listen } from "../http-server.ts";
import { describeGatewaySide } from "../openapi-documents.ts";
import type { ProcessParts } from "../process-parts.ts";

export type GatewayActions = Gateway["actions"];

export async function startGateway(parts: ProcessParts): Promise<GatewayActions> {
  const { configuration, database, guard, logger, tracer, shutdown, urls } = parts;
  const sender = parts.sender();
  const { settings } = configuration;
  const { GATEWAY_ACCESS_TOKEN: accessToken, GATEWAY_CONTROL_TOKEN: controlToken } = settings;
  if (accessToken === undefined || controlToken === undefined) {
    throw new AppError("config.invalid", "The gateway role needs GATEWAY_ACCESS_TOKEN and GATEWAY_CONTROL_TOKEN.");
  }
  const verifier = createSecretVerifier([new Secret(controlToken)]);
  const verifyToken = (token: string, network: string): Promise<boolean> => verifier.verify(token, network);
  const sessions = createControlSessions(systemClock);
  const cookie = createGatewayCookie(settings.TRUSTED_PROXIES ?? []);
  const gateway = createGateway({
    store: createGatewayOrderStore({ database, clock: systemClock }),
    history: createChangeHistory(database),
    services: createServiceSwitches(database),
    shopping: createShoppingStore({ database }),
    supply: withFixedRoutes(createSimulatedSupply(worldSeed)),
    announcer: sender,
    credentials: {
      accessToken: new Secret(accessToken),
      apiKey: settings.GATEWAY_API_KEY === undefined ? null : new Secret(settings.GATEWAY_API_KEY),
    },
    verifyToken,
    addressOf: parts.clientAddress,
    isSignedIn: createSessionCheck({ sessions, cookie }),
    strict: settings.GATEWAY_STRICT,
    clock: systemClock,
    logger,
    tracer,
  });
  const recipients = createRecipientRouter({
    store: createRecipientStore({ database, clock: systemClock }),
    resends: createResendStore({ database, clock: systemClock }),
    tester: sender,
    guard,
    addressOf: parts.clientAddress,
    logger,
  });
  const signIn = createSessionRouter({
    sessions,
    guesses: createTokenGuesses(systemClock),
    cookie,
    verifyToken,
    addressOf: parts.clientAddress,
    logger,
  });
  const refusals = logRefusals({ logger, addressOf: parts.clientAddress });
  const pages = createGatewayPages(configuration);
  const server = await listen(gatewaySide({ logger, refusals, gateway, signIn, recipients, pages }), {
    host: settings.HOST,
    port: settings.GATEWAY_PORT,
    setting: "GATEWAY_PORT",
    trustedProxies: settings.TRUSTED_PROXIES,
  });
  // This process's workers may need it until they finish.
  shutdown.add("connections", "gateway side", () => server.close());
  urls.gateway = server.url;
  return gateway.actions;
}

/** Everything behind `/control` except the sign-in requires the gateway's own check. */
function gatewaySide(parts: {
  readonly gateway: Gateway;
  readonly signIn: express.Router;
  readonly recipients: express.Router;
  readonly pages: express.Router;
  readonly refusals: express.RequestHandler;
  readonly logger: Logger;
}): RequestListener {
  const { gateway, refusals, signIn, recipients, pages, logger } = parts;
  const app = createApplication();
  app.use(refusals);
  app.use("/control", compressResponses, signIn, gateway.control, recipients, (_request, response) => {
    writeProblem(response, {
      status: 404,
      code: "gateway.no_such_route",
      title: "No such route",
      detail: "The control side has no such path. docs/gateway.md lists what it has.",
    });
  });
  app.use(createApiReference(() => describeGatewaySide()));
  app.use(pages);
  app.use(gateway.router);
  app.use(handleUnforeseen(logger));
  return app;
}

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
