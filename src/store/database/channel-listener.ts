import pg from "pg";
import { type BackOffPolicy, backOffMs } from "../../kernel/back-off.ts";

export interface ChannelListenerOptions {
  /** The database's URL. It must not lead through a pooler in transaction mode. */
  readonly url: string;
  readonly applicationName: string;
  readonly channels: readonly string[];
  /** Must not throw. */
  readonly onMessage: (payload: string, channel: string) => void;
  /** Called after a reconnection; messages sent meanwhile are lost. Must not throw. */
  readonly onResumed: () => void;
  readonly onError: (error: unknown) => void;
}

export interface ChannelListener {
  close(): Promise<void>;
}

const reconnectBackOff: BackOffPolicy = { baseMs: 200, capMs: 5_000, jitter: 0.2 };
const connectMs = 5_000;

/**
 * Listens on its own connection and reconnects by itself. Messages arrive after the commit, from all processes.
 * Resolves once it listens, or once the first attempt to connect has failed and the next is planned.
 */
export async function listenToChannel(options: ChannelListenerOptions): Promise<ChannelListener> {
  const listening = options.channels.map((channel) => `listen ${pg.escapeIdentifier(channel)}`).join("; ");
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let attempt: Promise<void>;
  let failures = 0;
  let closed = false;

  async function connect(): Promise<void> {
    const fresh = new pg.Client({
      connectionString: options.url,
      application_name: options.applicationName,
      connectionTimeoutMillis: connectMs,
      // A listening connection never writes, so only keep-alive reveals a peer that is gone.
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    let lost = false;
    function lose(error: unknown): void {
      if (lost) return;
      lost = true;
      fresh.end().catch(() => undefined);
      if (client === fresh) client = undefined;
      if (closed) return;
      failures += 1;
      options.onError(error);
      retry = setTimeout(reconnect, backOffMs(reconnectBackOff, failures, Math.random()));
    }
    fresh.on("error", lose);
    fresh.on("end", () => lose(new Error("the listening connection ended")));
    fresh.on("notification", ({ payload, channel }) => options.onMessage(payload ?? "", channel));
    try {
      await fresh.connect();
      await fresh.query(listening);
      client = fresh;
      failures = 0;
    } catch (error) {
      lose(error);
    }
  }

  function reconnect(): void {
    attempt = connect().then(() => {
      if (client !== undefined && !closed) options.onResumed();
    });
  }

  attempt = connect();
  await attempt;
  return {
    async close() {
      closed = true;
      clearTimeout(retry);
      await attempt;
      await client?.end();
    },
  };
}
