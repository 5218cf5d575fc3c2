import type { IncomingMessage } from "node:http";
import { isLoopback, withoutMapping } from "../../kernel/networks.ts";

export type IsOwnOrigin = (request: IncomingMessage) => boolean;

/**
 * Compares the header `Origin`, which no page can forge, with our own origin: that of PUBLIC_URL or, if it is not set,
 * the address at which the request arrived. On loopback any loopback name and port counts, because a tunnel or a
 * development server may have changed them. Elsewhere `Host` is not trusted: whoever points a name at this machine
 * chooses it.
 *
 * @see RFC 6454 section 7
 */
export function createOwnOriginCheck(publicUrl: string | undefined): IsOwnOrigin {
  const publicOrigin = publicUrl === undefined ? null : new URL(publicUrl).origin;
  return (request) => {
    const origins = request.headersDistinct["origin"] ?? [];
    const origin = origins.length === 1 ? origins[0]! : null;
    return origin !== null && origin === (publicOrigin ?? listeningOrigin(request));
  };
}

function listeningOrigin({ socket, headers }: IncomingMessage): string | null {
  const { localAddress, localPort } = socket;
  if (localAddress === undefined || localPort === undefined) return null;
  const address = withoutMapping(localAddress);
  if (!isLoopback(address)) return originOf(`${address.includes(":") ? `[${address}]` : address}:${localPort}`);
  const origin = headers.host === undefined ? null : originOf(headers.host);
  return origin !== null && isLoopback(new URL(origin).hostname) ? origin : null;
}

function originOf(host: string): string | null {
  const url = `http://${host}`;
  return URL.canParse(url) ? new URL(url).origin : null;
}
