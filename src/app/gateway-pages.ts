import type { Router } from "express";
import type { Configuration } from "../config/load-settings.ts";
import { createWebPages } from "../dashboard/web-pages.ts";
import { createTlsCheck } from "../http/client-address.ts";
import { createSessionCookie, type SessionCookie } from "../http/session-cookie.ts";

/** All load the same document, which shows the page of its address. */
const gatewayPaths = ["/", "/health", "/recipients", "/recipients/:id", "/deliveries", "/deliveries/:id"];

export function createGatewayPages({ settings, demo }: Configuration): Router {
  return createWebPages({
    document: "gateway.html",
    paths: gatewayPaths,
    offeredUsers: [],
    ...(demo && settings.GATEWAY_CONTROL_TOKEN !== undefined ? { offeredToken: settings.GATEWAY_CONTROL_TOKEN } : {}),
  });
}

/**
 * Has its own name, because both sides may share a host. Each request shows whether it used TLS, because no setting has
 * this side's address.
 */
export function createGatewayCookie(trustedProxies: readonly string[]): SessionCookie {
  return createSessionCookie({ secure: createTlsCheck(trustedProxies), name: "skedchange_gateway" });
}
