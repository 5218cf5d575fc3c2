import type { IncomingMessage } from "node:http";
import proxyaddr from "proxy-addr";

/** Returns the address of who sent a request: that of the connection or, if it is a trusted proxy's, the one it names. */
export type ClientAddressOf = (request: IncomingMessage) => string;

/**
 * Believes `X-Forwarded-For` only of proxies, from the right, so that nobody can choose an address.
 * @param trustedProxies networks in CIDR notation (`TRUSTED_PROXIES`)
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddressOf {
  const isTrusted = proxyaddr.compile([...trustedProxies]);
  return (request) => withoutPrefix(proxyaddr(request, isTrusted) || "unknown");
}

/** The address of an IPv4 client as a socket for both versions writes it. */
function withoutPrefix(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}
