import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { dialect } from "../../../src/connectors/document/dialect.ts";
import { createClientAddress } from "../../../src/http/client-address.ts";
import { type Clock, systemClock } from "../../../src/kernel/clock.ts";
import { Secret } from "../../../src/kernel/secret.ts";
import type { NotificationStore, ReceiverLimits, ReceiverSource } from "../../../src/receiver/ports.ts";
import { createReceiver, type Receiver, type ReceiverOptions } from "../../../src/receiver/receiver.ts";
import type { Logger } from "../../../src/telemetry/logger.ts";
import { createMetrics } from "../../../src/telemetry/metrics.ts";

/** A receiver behind a real HTTP server. */
export interface ReceiverServer {
  readonly url: string;
  readonly port: number;
  readonly receiver: Receiver;
  readonly server: Server;
  /** What was logged, as it would be written. */
  readonly lines: () => readonly {
    readonly level: string;
    readonly message: string;
    readonly fields: Record<string, unknown>;
  }[];
  readonly metrics: () => Promise<string>;
  close(): Promise<void>;
}

export const username = "gateway";
export const password = "pa:ss:wörd 🛫";
export const oldToken = "token-of-last-year";
export const newToken = "token-of-this-year";

export const roomyLimits: ReceiverLimits = {
  bodyBytes: 64 * 1024,
  orders: 500,
  backlogBytes: 16 * 1024 * 1024,
  bodyTimeoutMs: 10_000,
  readsPerSource: 256,
};

/** The default source accepts Basic and two tokens; `lenient` one token, and acknowledges what it quarantines. */
export const someSources: readonly ReceiverSource[] = [
  {
    name: "default",
    authentication: [
      { kind: "basic", username, passwords: [new Secret(password)] },
      { kind: "bearer_tokens", tokens: [new Secret(oldToken), new Secret(newToken)] },
    ],
    acknowledgeUnusable: false,
  },
  {
    name: "lenient",
    authentication: [{ kind: "bearer_tokens", tokens: [new Secret("lenient-token")] }],
    acknowledgeUnusable: true,
  },
  {
    name: "raw",
    authentication: [{ kind: "exact_authorization", values: [new Secret("EncryptionKey#1 äß")] }],
    acknowledgeUnusable: false,
  },
];

export async function startReceiver(
  store: NotificationStore,
  options: {
    readonly limits?: Partial<ReceiverLimits>;
    readonly sources?: readonly ReceiverSource[];
    readonly clock?: Clock;
    /** Its issuer is the URL of this server, unless another one is given. */
    readonly tokenEndpoint?: Omit<NonNullable<ReceiverOptions["tokenEndpoint"]>, "issuer"> & {
      readonly issuer?: string;
    };
    readonly authorizationServers?: ReceiverOptions["authorizationServers"];
    readonly recognised?: ReceiverOptions["recognised"];
  } = {},
): Promise<ReceiverServer> {
  const lines: { level: string; message: string; fields: Record<string, unknown> }[] = [];
  const log = (level: string) => (fields: object, message: string) => {
    lines.push({ level, message, fields: fields as Record<string, unknown> });
  };
  const logger: Logger = { debug: log("debug"), info: log("info"), warn: log("warn"), error: log("error") };
  const metrics = createMetrics();
  let url = "";
  const receiver = createReceiver({
    sources: options.sources ?? someSources,
    dialect,
    store,
    clock: options.clock ?? systemClock,
    logger,
    metrics,
    addressOf: createClientAddress([]),
    limits: { ...roomyLimits, ...options.limits },
    ...(options.tokenEndpoint && {
      tokenEndpoint: { ...options.tokenEndpoint, issuer: () => options.tokenEndpoint?.issuer ?? url },
    }),
    ...(options.authorizationServers && { authorizationServers: options.authorizationServers }),
    ...(options.recognised && { recognised: options.recognised }),
  });
  const app = express();
  app.disable("x-powered-by");
  app.use(receiver.router);
  const server = createServer(app);
  server.on("checkContinue", receiver.createCheckContinue(app));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  url = `http://127.0.0.1:${port}`;
  return {
    url,
    port,
    receiver,
    server,
    lines: () => lines,
    metrics: () => metrics.registry.metrics(),
    async close() {
      await receiver.drain();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function basic(name = username, word = password): string {
  return `Basic ${Buffer.from(`${name}:${word}`).toString("base64")}`;
}

export function bearer(token = newToken): string {
  return `Bearer ${token}`;
}

/** A notification of the smallest usable kind. */
export function anOcn(orderId: string, gdsBookingReference = "LHSKD1"): string {
  return JSON.stringify({ OrderViewRS: { Order: [{ OrderID: orderId, GdsBookingReference: gdsBookingReference }] } });
}

/** Posts a body as the default source does. */
export function post(
  server: ReceiverServer,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
  path = "/ocn",
): Promise<Response> {
  return fetch(`${server.url}${path}`, {
    method: "POST",
    headers: { authorization: bearer(), "content-type": "application/json", ...headers },
    body,
  });
}
