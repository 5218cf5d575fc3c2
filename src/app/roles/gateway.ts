import { createGateway, type Gateway } from "../../gateway/gateway.ts";
import { createSimulatedSupply } from "../../gateway/supply/simulated/simulated-supply.ts";
import { worldSeed } from "../../gateway/supply/simulated/world-seed.ts";
import { withFixedRoutes } from "../../gateway/supply/with-fixed-routes.ts";
import { AppError } from "../../kernel/app-error.ts";
import { systemClock } from "../../kernel/clock.ts";
import { Secret } from "../../kernel/secret.ts";
import { createChangeHistory } from "../../store/gateway/gateway-changes.ts";
import { createGatewayOrderStore } from "../../store/gateway/gateway-orders.ts";
import { createServiceSwitches } from "../../store/gateway/service-switches.ts";
import { createShoppingStore } from "../../store/gateway/shopping-responses.ts";
import { serveGatewaySide } from "../gateway-side.ts";
import type { ProcessParts } from "../process-parts.ts";

export type GatewayActions = Gateway["actions"];

export async function startGateway(parts: ProcessParts): Promise<GatewayActions> {
  const { configuration, database, logger, tracer } = parts;
  const {
    GATEWAY_ACCESS_TOKEN: accessToken,
    GATEWAY_API_KEY: apiKey,
    GATEWAY_CONTROL_TOKEN: controlToken,
    GATEWAY_STRICT: strict,
    SUPPLY: supply,
  } = configuration.settings;
  if (accessToken === undefined || controlToken === undefined) {
    throw new AppError("config.invalid", "The gateway role needs GATEWAY_ACCESS_TOKEN and GATEWAY_CONTROL_TOKEN.");
  }
  const { actions } = await serveGatewaySide(parts, controlToken, (access) =>
    createGateway({
      ...access,
      store: createGatewayOrderStore({ database, clock: systemClock }),
      history: createChangeHistory(database),
      services: createServiceSwitches(database),
      shopping: createShoppingStore({ database }),
      supply: supply === "none" ? null : withFixedRoutes(createSimulatedSupply(worldSeed)),
      announcer: parts.sender(),
      credentials: {
        accessToken: new Secret(accessToken),
        apiKey: apiKey === undefined ? null : new Secret(apiKey),
      },
      strict,
      clock: systemClock,
      logger,
      tracer,
    }),
  );
  return actions;
}
