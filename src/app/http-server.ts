import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import express, { type Express, type RequestHandler } from "express";
import helmet from "helmet";
import type { Settings } from "../config/settings.ts";
import { isReachable } from "../config/weak-settings.ts";
import { limitConnections } from "../http/limit-connections.ts";
import { writeProblem } from "../http/problem-document.ts";
import { isLoopback, toNetworkSet } from "../kernel/networks.ts";
import { serveHealthz } from "../telemetry/health.ts";
import { explainListenFailure } from "./listen-failure.ts";

export interface HttpServer {
  readonly url: string;
  readonly server: Server;
  close(): Promise<void>;
}

/** Strangers hold a connection for at most so long: headers, then the whole request, then a response that is not read. */
const deadlines = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 1_000 };
const silenceMs = 120_000;

/** A gateway or an office behind one address needs tens. */
const connectionsPerNetworkMax = 512;
const connectionsMax = 8_192;

/**
 * Connections that wait to be accepted. A flood fills the 511 of Node.js, and a connection that finds them full tries again
 * only after a second. Linux allows at most `net.core.somaxconn`, 4,096 unless it was changed.
 */
const backlog = 4_096;

/** @throws `app.port_in_use`, `app.cannot_listen`; each says which setting to change */
export async function listen(
  listener: RequestListener,
  place: {
    readonly host: string;
    readonly port: number;
    readonly setting: string;
    readonly trustedProxies?: readonly string[] | undefined;
    readonly takesAnyHost: boolean;
  },
): Promise<HttpServer> {
  const server = createServer(deadlines, place.takesAnyHost ? listener : forOwnNames(listener));
  server.setTimeout(silenceMs);
  limitConnections(server, {
    connections: connectionsMax,
    perNetwork: connectionsPerNetworkMax,
    trustedProxies: toNetworkSet(place.trustedProxies ?? []),
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(explainListenFailure(error, place)));
    server.listen({ port: place.port, host: place.host, backlog }, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const host = place.host.includes(":") ? `[${place.host}]` : place.host;
  return {
    url: `http://${host}:${port}`,
    server,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
}

/** Whether others than this machine may reach the process, by names that it does not know. */
export function takesAnyHost(settings: Parameters<typeof isReachable>[0] & Pick<Settings, "TRUSTED_PROXIES">): boolean {
  return isReachable(settings) || (settings.TRUSTED_PROXIES ?? []).length > 0;
}

/**
 * A page elsewhere can point its own name at 127.0.0.1 (DNS rebinding), and a browser on this machine then asks us as if we
 * were that page's server. Only `Host` shows it.
 */
function forOwnNames(listener: RequestListener): RequestListener {
  return (request, response) => {
    const { host } = request.headers;
    // Only programs of HTTP/1.0 send none.
    if (host === undefined || isOwnName(host)) return listener(request, response);
    writeProblem(response, {
      status: 421,
      code: "http.foreign_host",
      title: "Not a name of this process",
      detail:
        "It is open to this machine only, so it answers to localhost and 127.0.0.1, not to the name in Host. If others are meant to reach it, through a proxy or a tunnel, set PUBLIC_URL to its https URL.",
    });
  };
}

function isOwnName(host: string): boolean {
  const url = `http://${host}`;
  return URL.canParse(url) && isLoopback(new URL(url).hostname);
}

/** What every port begins with. */
export function createApplication(): Express {
  const app = express();
  app.disable("x-powered-by");
  app.use(helmet());
  app.use(refuseMalformedPath);
  app.get("/healthz", serveHealthz);
  return app;
}

/** Before any route: each would meet it elsewhere, and some took it for an error of ours. */
const refuseMalformedPath: RequestHandler = (request, response, next) => {
  try {
    decodeURIComponent(request.path);
  } catch {
    writeProblem(response, {
      status: 400,
      code: "http.malformed_path",
      title: "Malformed path",
      detail: "The path has a percent sign that stands for no UTF-8. Encode it as UTF-8.",
    });
    return;
  }
  next();
};
