import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/**
 * What a network does to the connections of a proxy. `reset`: those that are open break. `refuse`: the same, and new ones
 * break as well. `delay`: every chunk is late, in order. `half-open`: those that are open carry nothing any more and stay
 * open; they break when the time is over.
 */
export type NetworkFault = "reset" | "refuse" | "delay" | "half-open";

/** A TCP proxy on loopback that can do to connections what networks do. */
export interface FaultProxy {
  readonly port: number;
  /** Ports that new connections go to, in turns. None: they break. */
  setTargets(ports: readonly number[]): void;
  /** Shows a fault for so long; `reset` takes no time. One at a time: a new one replaces the one before. */
  show(fault: NetworkFault, forMs: number, delayMs?: number): void;
  /** Back to a good network, now. */
  heal(): void;
  close(): Promise<void>;
}

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  swallows: boolean;
  /** Chunks on their way wait for the one before. */
  busyUntil: { client: number; server: number };
}

export async function startFaultProxy(): Promise<FaultProxy> {
  const pairs = new Set<Pair>();
  let targets: readonly number[] = [];
  let turn = 0;
  let refuses = false;
  let delayMs = 0;
  let over: NodeJS.Timeout | undefined;

  const listener = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const port = targets[turn++ % Math.max(1, targets.length)];
    client.on("error", () => {});
    if (refuses || port === undefined) {
      cut(client);
      return;
    }
    const server = connect({ port, host: "127.0.0.1", allowHalfOpen: true, noDelay: true });
    server.on("error", () => cut(client));
    client.on("error", () => cut(server));
    const pair: Pair = { client, server, swallows: false, busyUntil: { client: 0, server: 0 } };
    pairs.add(pair);
    carry(pair, "client", client, server);
    carry(pair, "server", server, client);
  });

  function carry(pair: Pair, from: "client" | "server", source: Socket, target: Socket): void {
    const later = (step: () => void): void => {
      if (pair.swallows) return;
      const now = performance.now();
      const at = Math.max(pair.busyUntil[from], now + delayMs);
      if (at <= now) {
        step();
        return;
      }
      pair.busyUntil[from] = at;
      setTimeout(() => {
        if (!pair.swallows) step();
      }, at - now);
    };
    source.on("data", (chunk) => later(() => void target.write(chunk)));
    source.on("end", () => later(() => target.end()));
    source.on("close", () => {
      // What is late still arrives: a request can reach its server after the caller has given up.
      later(() => target.destroy());
      if (source.destroyed && target.destroyed) pairs.delete(pair);
    });
  }

  function breakOpen(which: (pair: Pair) => boolean): void {
    for (const pair of pairs) {
      if (!which(pair)) continue;
      cut(pair.client);
      cut(pair.server);
      pairs.delete(pair);
    }
  }

  function heal(): void {
    clearTimeout(over);
    refuses = false;
    delayMs = 0;
    breakOpen(({ swallows }) => swallows);
  }

  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  return {
    port: (listener.address() as AddressInfo).port,
    setTargets(ports) {
      targets = ports;
    },
    show(fault, forMs, lateMs = 300) {
      heal();
      switch (fault) {
        case "reset":
          breakOpen(() => true);
          return;
        case "refuse":
          refuses = true;
          breakOpen(() => true);
          break;
        case "delay":
          delayMs = lateMs;
          break;
        case "half-open":
          for (const pair of pairs) pair.swallows = true;
          break;
      }
      over = setTimeout(heal, forMs);
    },
    heal,
    async close() {
      heal();
      breakOpen(() => true);
      listener.close();
      await once(listener, "close");
    },
  };
}

/** A connection that is still being made cannot be reset: it would stay half made, and keep the process alive. */
function cut(socket: Socket): void {
  if (socket.connecting) socket.destroy();
  else socket.resetAndDestroy();
}
