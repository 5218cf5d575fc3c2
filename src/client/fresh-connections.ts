import { buildConnector, Client } from "undici";

/**
 * Connections for requests whose loss would cost a person: an outcome that nobody knows. Each is used by one request at a
 * time, and again only a moment after it has responded, because an older one may be closing.
 */
export interface FreshConnections {
  /** Returns one that has just responded, else one that connects with its first request. */
  take(): Client;
  /** For one that has responded. */
  giveBack(connection: Client): void;
  /** For one that has not: then none is used again until one has stayed open anew. */
  lose(connection: Client): void;
  destroy(): Promise<void>;
}

const freshMs = 1_000;

/**
 * None is used again until one has stayed open for so long unused: then the gateway does not close them in the first
 * second. The usual limits are 5 s and more.
 */
const provenMs = 2 * freshMs;

export interface FreshConnectionOptions {
  readonly origin: string;
  readonly connectTimeoutMs: number;
  /** In milliseconds, from any point on. */
  readonly now: () => number;
}

export function createFreshConnections({ origin, connectTimeoutMs, now }: FreshConnectionOptions): FreshConnections {
  // One for all, because it remembers TLS sessions.
  const connect = buildConnector({ timeout: connectTimeoutMs });
  const open = new Set<Client>();
  /** Since when they are, the newest last. */
  const unused = new Map<Client, number>();
  let staysOpen = false;

  return {
    take() {
      const [oldestSince] = unused.values();
      if (oldestSince !== undefined && now() - oldestSince >= provenMs) staysOpen = true;
      const [newest, since] = [...unused].at(-1) ?? [];
      if (!staysOpen || newest === undefined || since === undefined || now() - since >= freshMs) return openOne();
      unused.delete(newest);
      return newest;
    },

    giveBack(connection) {
      if (!open.has(connection)) return;
      // One is enough to see whether it stays open.
      if (staysOpen || unused.size === 0) unused.set(connection, now());
      else discard(connection);
    },

    lose(connection) {
      discard(connection);
      takeBackProof();
    },

    async destroy() {
      await Promise.all([...open].map((connection) => connection.destroy()));
    },
  };

  function openOne(): Client {
    const connection = new Client(origin, { connect, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
    open.add(connection);
    connection.on("disconnect", () => {
      const since = unused.get(connection);
      // With a request, it connects again before anything is sent.
      if (since === undefined) return;
      if (now() - since >= provenMs) {
        staysOpen = true;
        discard(connection);
      } else takeBackProof();
    });
    return connection;
  }

  /** What others have shown does not count any more. */
  function takeBackProof(): void {
    staysOpen = false;
    for (const each of unused.keys()) discard(each);
  }

  function discard(connection: Client): void {
    unused.delete(connection);
    if (open.delete(connection)) void connection.destroy();
  }
}
