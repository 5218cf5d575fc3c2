import { Cluster, type DNSLookupFunction, Redis } from "ioredis";
import { AppError, messageOf } from "../kernel/app-error.ts";
import { type BackOffPolicy, backOffMs } from "../kernel/back-off.ts";
import type { RedisPlace } from "../kernel/redis-url.ts";
import { unavailable } from "./bullmq-backend.ts";

/** The Redis server is too old for BullMQ's scripts. Nothing is queued there until it is replaced. */
export const queueServerTooOld = "queue.server_too_old";

/** The Redis server may evict jobs if its memory is full. They are queued again, later than necessary. */
export const queueMayEvict = "queue.may_evict";

export type RedisClient = Redis | Cluster;

export interface RedisConnections {
  /**
   * Opens a connection that reconnects without end. `purpose` names it in reports of outages; a new connection of the
   * same purpose continues the same outage.
   * @param patience whether commands wait for a reconnection. A worker's must: BullMQ would repeat a failed one without
   * a pause. All others fail at once.
   */
  open(purpose: string, patience: "waits" | "fails-at-once"): RedisClient;
  /** Resolves once the connection is ready and its server suits BullMQ; rejects if the next attempt fails. */
  untilUsable(client: RedisClient): Promise<void>;
  /** Ends the connection in any state, with all its waiting commands. */
  end(client: RedisClient): void;
  isAway(): boolean;
}

/** The timeout of one connection attempt. */
const connectMs = 2_000;

/** The timeout of a command, for a server that hangs or a path that drops packets. */
const responseMs = 5_000;

/** The same for blocking reads, which last 5 s. Commands without a response are sent again on a new connection. */
const blockingResponseMs = 8_000;

/** Probes idle connections after this long, to notice a server that vanished silently. */
const keepAliveMs = 10_000;

const reconnectBackOff: BackOffPolicy = { baseMs: 50, capMs: 2_000, jitter: 0.2 };

const oldestServer = [6, 2] as const;

/** @param onError receives each outage once, and a wrong server configuration. */
export function createRedisConnections(
  place: RedisPlace,
  applicationName: string,
  onError: (error: unknown) => void,
): RedisConnections {
  /** The purposes whose connection is down. An outage lasts from the first to the last of them. */
  const away = new Set<string>();
  let warnedOfEviction = false;

  function failed(purpose: string, error: unknown): void {
    if (away.size === 0) onError(unavailable("it does not respond", "redis", withoutCommand(error)));
    away.add(purpose);
  }

  return {
    isAway: () => away.size > 0,
    open(purpose, patience) {
      const client = connect(place, applicationName, patience);
      client.on("error", (error) => failed(purpose, error));
      client.on("ready", () => away.delete(purpose));
      return client;
    },
    async untilUsable(client) {
      await untilReady(client);
      const policy = await inspectServer(client);
      if (policy === null || policy === "noeviction" || warnedOfEviction) return;
      warnedOfEviction = true;
      onError(
        new AppError(
          queueMayEvict,
          `Redis has the maxmemory-policy '${policy}', so it may throw jobs away when its memory is full. They are ` +
            "dispatched again, but late. Set maxmemory-policy noeviction.",
        ),
      );
    },
    end: endClient,
  };
}

function connect(place: RedisPlace, applicationName: string, patience: "waits" | "fails-at-once"): RedisClient {
  const waits = patience === "waits";
  const perConnection = {
    ...(place.username === null ? {} : { username: place.username }),
    ...(place.password === null ? {} : { password: place.password.reveal() }),
    ...(place.tls ? { tls: {} } : {}),
    connectionName: applicationName.replaceAll(/\s/g, "-"),
    connectTimeout: connectMs,
    keepAlive: keepAliveMs,
    ...(waits ? { socketTimeout: blockingResponseMs } : { commandTimeout: responseMs }),
    // null: a command waits for any number of reconnections. 0: it fails with its connection.
    maxRetriesPerRequest: waits ? null : 0,
  };
  const retry = (times: number): number => backOffMs(reconnectBackOff, times, Math.random());
  if (place.cluster) {
    return new Cluster([...place.nodes], {
      redisOptions: perConnection,
      clusterRetryStrategy: retry,
      enableOfflineQueue: waits,
      slotsRefreshTimeout: connectMs,
      // Managed clusters over TLS return addresses that their certificates do not name.
      ...(place.tls ? { dnsLookup: takeAddress } : {}),
    });
  }
  const [node] = place.nodes;
  return new Redis({ ...node, ...perConnection, db: place.db, retryStrategy: retry, enableOfflineQueue: waits });
}

const takeAddress: DNSLookupFunction = (address, callback) => callback(null, address);

/** BullMQ's own wait ends only with a connection; this one also ends with the next failed attempt. */
async function untilReady(client: RedisClient): Promise<void> {
  if (client.status === "ready") return;
  await new Promise<void>((resolve, reject) => {
    const settle = (error?: unknown): void => {
      client.off("ready", onReady);
      client.off("error", settle);
      client.off("end", onEnd);
      if (error === undefined) resolve();
      else reject(withoutCommand(error));
    };
    const onReady = (): void => settle();
    const onEnd = (): void => settle(new Error("the connection was closed"));
    client.on("ready", onReady);
    client.on("error", settle);
    client.on("end", onEnd);
    if (client.status === "end") onEnd();
  });
}

/** @returns its maxmemory-policy; null if the user may not read it. */
async function inspectServer(client: RedisClient): Promise<string | null> {
  let info: string;
  try {
    info = await client.info();
  } catch (error) {
    // An ACL user may lack INFO; everything else still works.
    if (messageOf(error).startsWith("NOPERM")) return null;
    throw withoutCommand(error);
  }
  const version = /^redis_version:(\S+)/m.exec(info)?.[1];
  if (version !== undefined && isTooOld(version)) {
    throw new AppError(
      queueServerTooOld,
      `Redis ${version} is too old for the queue, which waits until it is replaced by ${oldestServer.join(".")} or newer.`,
    );
  }
  return /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? null;
}

function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major < oldestServer[0] || (major === oldestServer[0] && minor < oldestServer[1]);
}

function endClient(client: RedisClient): void {
  if (client.status === "end") return;
  const waitsToReconnect = client.status === "reconnecting";
  client.disconnect();
  if (!waitsToReconnect) return;
  // Without a socket, ioredis only cancels its timer and waiting commands never end. So it connects once more and is
  // ended for good, whether that fails or not.
  client.once("connect", () => client.disconnect());
  client.connect().catch(() => undefined);
}

/**
 * Removes what ioredis attaches to the error: the command and its arguments, which after a refused sign-in are user
 * name and password. Adds the last node's message to a cluster's.
 */
export function withoutCommand(error: unknown): Error {
  const { message, code, lastNodeError } = readFailure(error);
  const plain = new Error(lastNodeError === undefined ? message : `${message} ${readFailure(lastNodeError).message}`);
  return code === undefined ? plain : Object.assign(plain, { code });
}

function readFailure(error: unknown): { message: string; code?: string; lastNodeError?: unknown } {
  if (error === null || typeof error !== "object") return { message: String(error) };
  return {
    // A server whose AUTH was renamed, or a proxy without it, repeats the arguments in its error.
    message: ("message" in error ? String(error.message) : messageOf(error)).replace(
      /, with args beginning with:.*$/s,
      "",
    ),
    ...("code" in error && typeof error.code === "string" ? { code: error.code } : {}),
    ...("lastNodeError" in error && error.lastNodeError != null ? { lastNodeError: error.lastNodeError } : {}),
  };
}
