import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import pg from "pg";

/** Stands between a client and a database, so that a test can take the database away from that client alone. */
export interface BreakableProxy {
  /** The database's URL through the proxy. */
  readonly url: string;
  /** Breaks every connection and refuses new ones. */
  breakDown(): Promise<void>;
  /** Accepts connections again, on the same port. */
  recover(): Promise<void>;
  close(): Promise<void>;
}

export async function startBreakableProxy(databaseUrl: string): Promise<BreakableProxy> {
  const { host, port, user, password, database } = new pg.Client(databaseUrl);
  const target = host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
  const sockets = new Set<Socket>();
  let server: Server;

  async function listenOn(proxyPort: number): Promise<number> {
    server = createServer((client) => {
      const upstream = connect(target);
      for (const [socket, other] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        sockets.add(socket);
        socket.on("error", () => other.destroy());
        socket.on("close", () => {
          sockets.delete(socket);
          other.destroy();
        });
        socket.pipe(other);
      }
    });
    server.listen(proxyPort, "127.0.0.1");
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  }

  async function breakDown(): Promise<void> {
    if (!server.listening) return;
    const closed = once(server, "close");
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  }

  const proxyPort = await listenOn(0);
  const login = [user, password].filter((part) => part != null).map((part) => encodeURIComponent(String(part)));
  return {
    url: `postgres://${login.join(":")}@127.0.0.1:${proxyPort}/${database}`,
    breakDown,
    recover: async () => {
      await listenOn(proxyPort);
    },
    close: breakDown,
  };
}
