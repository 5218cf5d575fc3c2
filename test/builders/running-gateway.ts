import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { compressResponses } from "../../src/app/compress-responses.ts";
import { createGateway, type Gateway } from "../../src/gateway/gateway.ts";
import type { ChangeAnnouncer, ChangeNotification, GatewayStore } from "../../src/gateway/ports.ts";
import { createSimulatedSupply } from "../../src/gateway/supply/simulated/simulated-supply.ts";
import type { Supply } from "../../src/gateway/supply/supply.ts";
import { createClientAddress } from "../../src/http/client-address.ts";
import { type Clock, systemClock } from "../../src/kernel/clock.ts";
import { newId } from "../../src/kernel/ids.ts";
import { Secret } from "../../src/kernel/secret.ts";
import { createChangeHistory } from "../../src/store/gateway/gateway-changes.ts";
import { createGatewayOrderStore } from "../../src/store/gateway/gateway-orders.ts";
import { createServiceSwitches } from "../../src/store/gateway/service-switches.ts";
import { createShoppingStore } from "../../src/store/gateway/shopping-responses.ts";
import { silentLogger } from "../../src/telemetry/logger.ts";
import type { TestDatabase } from "../harness/database.ts";
import { accessToken, apiKey, controlToken } from "./gateway-credentials.ts";

/** A gateway on a port of its own, over the test database. */
export interface RunningGateway {
  readonly url: string;
  readonly gateway: Gateway;
  readonly store: GatewayStore;
  /** What was announced, also when its transaction was rolled back afterwards. */
  readonly announced: readonly ChangeNotification[];
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  control(method: string, path: string, body?: unknown): Promise<Response>;
  close(): Promise<void>;
}

export async function startGateway(
  db: TestDatabase,
  overrides: {
    readonly announcer?: ChangeAnnouncer;
    readonly recipients?: number;
    readonly clock?: Clock;
    readonly supply?: Supply;
    readonly strict?: boolean;
  } = {},
): Promise<RunningGateway> {
  const announced: ChangeNotification[] = [];
  const clock = overrides.clock ?? systemClock;
  const store = createGatewayOrderStore({ database: db.database, clock });
  const gateway = createGateway({
    store,
    history: createChangeHistory(db.database),
    services: createServiceSwitches(db.database),
    shopping: createShoppingStore({ database: db.database }),
    supply: overrides.supply ?? createSimulatedSupply("test"),
    announcer: overrides.announcer ?? {
      async announce(_tx, notification) {
        announced.push(notification);
        const recipients = Array.from({ length: overrides.recipients ?? 1 }, (_, position) => `recipient-${position}`);
        return { deliveries: recipients.map((recipientId) => ({ deliveryId: newId(clock), recipientId })) };
      },
    },
    credentials: { accessToken: new Secret(accessToken), apiKey: new Secret(apiKey) },
    addressOf: createClientAddress([]),
    verifyToken: async (token) => token === controlToken,
    strict: overrides.strict ?? false,
    clock,
    logger: silentLogger,
  });
  const app = express();
  app.use("/control", gateway.control, (_request, response) => void response.status(404).json({ passedOn: true }));
  app.use(compressResponses, gateway.router);
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const jsonHeaders = { "Content-Type": "application/json" };
  return {
    url,
    gateway,
    store,
    announced,
    post: (path, body, headers = { Authorization: accessToken, "x-api-key": apiKey }) =>
      fetch(url + path, {
        method: "POST",
        headers: { ...jsonHeaders, ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
    control: (method, path, body) =>
      fetch(`${url}/control${path}`, {
        method,
        headers: { ...jsonHeaders, Authorization: `Bearer ${controlToken}` },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
