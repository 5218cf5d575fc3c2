import type { IncomingMessage } from "node:http";
import { TLSSocket } from "node:tls";
import proxyaddr from "proxy-addr";
import { withoutMapping } from "../kernel/networks.ts";

/** Returns the address of who sent a request: that of the connection or, if it is a trusted proxy's, the one it names. */
export type ClientAddressOf = (request: IncomingMessage) => string;

/**
 * Believes `X-Forwarded-For` only of proxies, from the right, so that nobody can choose an address.
 * @param trustedProxies networks in CIDR notation (`TRUSTED_PROXIES`)
 * @param onUntrusted gets the address of who names a client and is no such proxy
 */
export function createClientAddress(
  trustedProxies: readonly string[],
  onUntrusted: (address: string) => void = () => {},
): ClientAddressOf {
  const isTrusted = proxyaddr.compile([...trustedProxies]);
  return (request) => {
    const peer = request.socket.remoteAddress ?? "";
    if (request.headers["x-forwarded-for"] !== undefined && !isTrusted(peer, 0)) onUntrusted(withoutMapping(peer));
    return withoutMapping(proxyaddr(request, isTrusted) || "unknown");
  };
}

/** Returns whether who sent a request used TLS: to us, or to a trusted proxy, as that one says. */
export type CameByTls = (request: IncomingMessage) => boolean;

/**
 * Believes `X-Forwarded-Proto` only of proxies.
 * @param trustedProxies networks in CIDR notation (`TRUSTED_PROXIES`)
 */
export function createTlsCheck(trustedProxies: readonly string[]): CameByTls {
  const isTrusted = proxyaddr.compile([...trustedProxies]);
  return ({ socket, headers }) =>
    socket instanceof TLSSocket ||
    (headers["x-forwarded-proto"] === "https" && isTrusted(socket.remoteAddress ?? "", 0));
}
