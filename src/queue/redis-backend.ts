import { type QueueBaseOptions, QueueKeys, RedisConnection, RedisQueueBackend, withBackend } from "bullmq";
import { AppError } from "../kernel/app-error.ts";
import { readRedisUrl } from "../kernel/redis-url.ts";
import { type BullmqSite, createBullmqBackend, type QueueTiming, unavailable } from "./bullmq-backend.ts";
import type { QueueBackend } from "./dispatch-queue.ts";
import {
  createRedisConnections,
  queueServerTooOld,
  type RedisClient,
  type RedisConnections,
  withoutCommand,
} from "./redis-connections.ts";

export const queueBadUrl = "queue.bad_url";

export interface RedisBackendOptions {
  /** As in QUEUE_URL. @see readRedisUrl */
  readonly url: string;
  /** Shown in CLIENT LIST. */
  readonly applicationName: string;
  /** Receives each outage once, a wrong server configuration, and BullMQ's reports. */
  readonly onError: (error: unknown) => void;
  readonly timing?: QueueTiming;
}

const kind = "redis";

/** The prefix of every key. The braces put all keys into one slot of a Redis Cluster, as BullMQ's scripts need. */
const keyPrefix = "{skedchange}";

/**
 * Runs BullMQ on Redis or a Redis Cluster. A queue takes one connection and a consumer two, to each node of a cluster.
 * `add` fails at once while Redis is down; consumers reconnect.
 * @throws AppError `queue.bad_url`
 */
export function createRedisQueueBackend(options: RedisBackendOptions): QueueBackend {
  const reading = readRedisUrl(options.url);
  if (!reading.ok) throw new AppError(queueBadUrl, `The URL of the queue ${reading.problem}.`);
  const connections = createRedisConnections(reading.place, options.applicationName, options.onError);
  return createBullmqBackend(redisSite(connections), options.onError, options.timing);
}

function redisSite(connections: RedisConnections): BullmqSite {
  let probe: RedisClient | undefined;

  return {
    kind,
    openQueue(name, queueOptions) {
      const client = connections.open(`producer of ${name}`, "fails-at-once");
      const connection: DispatchConnection = { client };
      const queue = new Queue(name, { ...queueOptions, prefix: keyPrefix, skipVersionCheck: true, connection });
      return {
        queue: {
          waitUntilReady: async () => {
            await connections.untilUsable(client);
            await queue.waitUntilReady();
          },
          add: (jobName, data, jobOptions) => queue.add(jobName, data, jobOptions).catch(rejectWithoutCommand),
          clean: (olderThanMs, limit, state) => queue.clean(olderThanMs, limit, state).catch(rejectWithoutCommand),
          on: (event, listener) => queue.on(event, passNew(connections, listener)),
        },
        close: () => closeQueue(queue, connections, client),
      };
    },
    openWorker(name, workerOptions, process) {
      const client = connections.open(`worker of ${name}`, "waits");
      const blocking = connections.open(`blocking reads of ${name}`, "waits");
      const connection: DispatchConnection = { client, blocking };
      const options = { ...workerOptions, prefix: keyPrefix, skipVersionCheck: true, connection };
      const worker = new Worker(name, process, options);
      return {
        worker: {
          waitUntilReady: async () => {
            await worker.waitUntilReady();
            await connections.untilUsable(client);
          },
          run: () => worker.run(),
          on: (event, listener) => worker.on(event, passNew(connections, listener)),
        },
        close: () => closeWorker(worker, connections, { client, blocking }),
      };
    },
    async ping() {
      probe ??= connections.open("probe", "fails-at-once");
      try {
        await connections.untilUsable(probe);
      } catch (error) {
        throw error instanceof AppError && error.code === queueServerTooOld
          ? error
          : unavailable("it does not respond", kind, error);
      }
    },
    async close() {
      if (probe !== undefined) connections.end(probe);
    },
  };
}

async function closeQueue(
  queue: { close(): Promise<void> },
  connections: RedisConnections,
  client: RedisClient,
): Promise<void> {
  try {
    await queue.close();
  } finally {
    connections.end(client);
  }
}

/**
 * Ends the connections while Redis is down, because BullMQ would wait:
 * https://github.com/taskforcesh/bullmq/issues/4656
 */
async function closeWorker(
  worker: { close(): Promise<void> },
  connections: RedisConnections,
  { client, blocking }: { readonly client: RedisClient; readonly blocking: RedisClient },
): Promise<void> {
  const closed = worker.close();
  connections.end(blocking);
  if (client.status === "ready") client.once("reconnecting", () => connections.end(client));
  else connections.end(client);
  try {
    await closed;
  } finally {
    connections.end(client);
  }
}

/** BullMQ repeats what its connections report, at each attempt to reconnect. */
function passNew(connections: RedisConnections, listener: (error: Error) => void): (error: Error) => void {
  return (error) => {
    if (!connections.isAway()) listener(withoutCommand(error));
  };
}

function rejectWithoutCommand(error: unknown): never {
  throw withoutCommand(error);
}

interface DispatchConnection {
  readonly client: RedisClient;
  /** Only of a worker. */
  readonly blocking?: RedisClient;
}

/**
 * Creates BullMQ's own backend on our connections: those that it makes for a worker cannot be ended while Redis is
 * down.
 */
function createBackend(
  name: string,
  { connection: { client, blocking }, ...options }: QueueBaseOptions<DispatchConnection>,
): RedisQueueBackend {
  const queueKeys = new QueueKeys(keyPrefix);
  return new RedisQueueBackend(
    toConnection(client, false),
    name,
    queueKeys.getKeys(name),
    (type) => queueKeys.toKey(name, type),
    { ...options, connection: client },
    blocking === undefined ? undefined : toConnection(blocking, true),
  );
}

function toConnection(client: RedisClient, blocking: boolean): RedisConnection {
  return new RedisConnection(client, { shared: true, blocking, skipVersionCheck: true });
}

const { Queue, Worker } = withBackend<RedisQueueBackend, DispatchConnection>(createBackend);
