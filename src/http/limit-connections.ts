import type { Server, ServerResponse } from "node:http";
import type { BlockList, Socket } from "node:net";
import { isIPv6 } from "node:net";
import { networkOf } from "../kernel/networks.ts";

export interface ConnectionLimits {
  readonly connections: number;
  /** A proxy in front has as many as it needs. */
  readonly perNetwork: number;
  readonly trustedProxies: BlockList;
}

/**
 * Bounds the open connections, each network's and all. At the limit of all, the oldest connection that was never served
 * gives way, so that connections which only wait shut nobody out.
 */
export function limitConnections(server: Server, { connections, perNetwork, trustedProxies }: ConnectionLimits): void {
  const open = new Map<string, Set<Socket>>();
  const neverServed = new Set<Socket>();
  let count = 0;

  server.on("connection", (socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined) return void socket.destroy();
    const network = networkOf(remoteAddress);
    const ofNetwork = open.get(network) ?? new Set();
    if (ofNetwork.size >= perNetwork && !includes(trustedProxies, remoteAddress)) return void socket.destroy();
    if (count >= connections) {
      const [oldest] = neverServed;
      if (oldest === undefined) return void socket.destroy();
      oldest.destroy();
    }
    count += 1;
    neverServed.add(socket);
    open.set(network, ofNetwork.add(socket));
    socket.once("close", () => {
      count -= 1;
      neverServed.delete(socket);
      ofNetwork.delete(socket);
      if (ofNetwork.size === 0) open.delete(network);
    });
  });

  server.on("request", ({ socket }, response: ServerResponse) => {
    if (!neverServed.has(socket)) return;
    response.once("finish", () => {
      if (response.statusCode < 400) neverServed.delete(socket);
    });
  });
}

function includes(networks: BlockList, address: string): boolean {
  return networks.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}
