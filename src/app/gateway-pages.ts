import type { IncomingMessage } from "node:http";
import { TLSSocket } from "node:tls";
import type { Router } from "express";
import type { Configuration } from "../config/load-settings.ts";
import { createSessionCookie } from "../dashboard/api/session-cookie.ts";
import { createWebPages } from "../dashboard/web-pages.ts";
import type { SessionCookie } from "../gateway/sessions/session-router.ts";

/** Each of them loads the same document, which shows the page of its address. */
const gatewayPaths = ["/", "/health", "/recipients", "/recipients/:id", "/deliveries", "/deliveries/:id"];

/** The pages at GATEWAY_PORT, which show what the control routes answer. */
export function createGatewayPages({ settings, demo }: Configuration): Router {
  return createWebPages({
    document: "gateway.html",
    paths: gatewayPaths,
    offeredUsers: [],
    ...(demo && settings.GATEWAY_CONTROL_TOKEN !== undefined ? { offeredToken: settings.GATEWAY_CONTROL_TOKEN } : {}),
  });
}

/**
 * The cookie of the gateway's sessions, with a name of its own, because both sides may be on one host. No setting says
 * at which address people reach this side, so each request tells whether it came by TLS. Whoever lies about that spoils
 * only their own cookie.
 */
export function createGatewayCookie(): SessionCookie {
  const name = "skedchange_gateway";
  const cookies = {
    plain: createSessionCookie({ secure: false, name }),
    tls: createSessionCookie({ secure: true, name }),
  };
  const cookieFor = (request: IncomingMessage) => (cameByTls(request) ? cookies.tls : cookies.plain);
  return {
    read: (request) => cookieFor(request).read(request),
    write: (response, id, lifeSeconds) => cookieFor(response.req).write(response, id, lifeSeconds),
    clear: (response) => cookieFor(response.req).clear(response),
  };
}

function cameByTls(request: IncomingMessage): boolean {
  return request.socket instanceof TLSSocket || request.headers["x-forwarded-proto"] === "https";
}
