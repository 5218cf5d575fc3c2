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
 * Bounds the open connections, each network's and all. At a limit, the oldest connection that was never served gives way,
 * so that connections which only wait, or are refused, shut nobody out, also where all clients have one address.
 */
export function limitConnections(server: Server, { connections, perNetwork, trustedProxies }: ConnectionLimits): void {
  const open = new Map<string, Set<Socket>>();
  const networks = new Map<Socket, string>();
  const neverServed = new Set<Socket>();
  let count = 0;

  server.on("connection", (socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined) return void socket.destroy();
    const network = networkOf(remoteAddress);
    const ofNetwork = open.get(network) ?? new Set();
    const isFull = ofNetwork.size >= perNetwork && !includes(trustedProxies, remoteAddress);
    if (isFull || count >= connections) {
      const oldest = findOldestNeverServed(isFull ? ofNetwork : neverServed);
      if (oldest === undefined) return void socket.destroy();
      forget(oldest);
      oldest.destroy();
    }
    count += 1;
    neverServed.add(socket);
    open.set(network, ofNetwork.add(socket));
    networks.set(socket, network);
    socket.once("close", () => forget(socket));
  });

  function findOldestNeverServed(sockets: Iterable<Socket>): Socket | undefined {
    for (const socket of sockets) if (neverServed.has(socket)) return socket;
    return undefined;
  }

  /** At once, and not when it has closed: further connections may come before that. */
  function forget(socket: Socket): void {
    const network = networks.get(socket);
    if (network === undefined) return;
    networks.delete(socket);
    count -= 1;
    neverServed.delete(socket);
    const ofNetwork = open.get(network)!;
    ofNetwork.delete(socket);
    if (ofNetwork.size === 0) open.delete(network);
  }

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
