import type { IncomingMessage } from "node:http";
import { TLSSocket } from "node:tls";
import type { Router } from "express";
import type { Configuration } from "../config/load-settings.ts";
import { createWebPages } from "../dashboard/web-pages.ts";
import { createSessionCookie, type SessionCookie } from "../http/session-cookie.ts";

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
  return createSessionCookie({ secure: cameByTls, name: "skedchange_gateway" });
}

function cameByTls(request: IncomingMessage): boolean {
  return request.socket instanceof TLSSocket || request.headers["x-forwarded-proto"] === "https";
}
