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

/** The URL of the Redis cannot be read. */
export const queueBadUrl = "queue.bad_url";

export interface RedisBackendOptions {
  /** As in QUEUE_URL. @see readRedisUrl */
  readonly url: string;
  /** Shown in CLIENT LIST. */
  readonly applicationName: string;
  /** Told of outages, once for each, of a server that is set up wrongly, and of what BullMQ reports. */
  readonly onError: (error: unknown) => void;
  readonly timing?: QueueTiming;
}

const kind = "redis";

/**
 * In front of every key. What stands in braces decides the slot in a Redis Cluster, and BullMQ's scripts touch several
 * keys at a time, which must be in one slot.
 */
const keyPrefix = "{skedchange}";

/**
 * BullMQ on a Redis, or on a Redis Cluster. A queue takes one connection and a consumer two, to each node of a cluster.
 * Whoever adds is told at once when Redis is away; consumers come back by themselves.
 *
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
          addBulk: (jobs) => queue.addBulk(jobs).catch(rejectWithoutCommand),
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
          : unavailable("it does not answer", kind, error);
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
 * Waits for what is being worked on. While Redis is away the connections are ended, as BullMQ would wait for it to come
 * back: https://github.com/taskforcesh/bullmq/issues/4656
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

/** What a queue or a worker is opened with. */
interface DispatchConnection {
  readonly client: RedisClient;
  /** Only of a worker. */
  readonly blocking?: RedisClient;
}

/** BullMQ's own backend, on connections of ours: those that it makes for a worker cannot be ended while Redis is away. */
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
