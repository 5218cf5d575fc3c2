import { type QueueBaseOptions, QueueKeys, RedisConnection, RedisQueueBackend, withBackend } from "bullmq";
import { AppError, messageOf } from "../kernel/app-error.ts";
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
      const connection: DispatchConnection = { connections, client };
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
        close: () => closeAll(queue, connections, [client]),
      };
    },
    openWorker(name, workerOptions, process) {
      const client = connections.open(`worker of ${name}`, "fails-at-once");
      const blocking = connections.open(`blocking reads of ${name}`, "waits");
      const connection: DispatchConnection = { connections, client, blocking };
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
        close: () => closeAll(worker, connections, [client, blocking]),
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

async function closeAll(
  object: { close(): Promise<void> },
  connections: RedisConnections,
  clients: readonly RedisClient[],
): Promise<void> {
  try {
    await object.close();
  } finally {
    for (const client of clients) connections.end(client);
  }
}

/** BullMQ repeats what its connections report, at each try to reconnect. */
function passNew(connections: RedisConnections, listener: (error: Error) => void): (error: Error) => void {
  return (error) => {
    if (!connections.wasReported(error)) listener(withoutCommand(error));
  };
}

function rejectWithoutCommand(error: unknown): never {
  throw withoutCommand(error);
}

/** What a queue or a worker is opened with. */
interface DispatchConnection {
  readonly connections: RedisConnections;
  readonly client: RedisClient;
  /** Only of a worker. */
  readonly blocking?: RedisClient;
}

/** BullMQ's backend, made to stop at any time and to wait in an outage instead of asking as fast as it is refused. */
class DispatchBackend extends RedisQueueBackend {
  readonly #link: DispatchConnection;
  readonly #purpose: string;
  readonly #stopped: Promise<void>;
  #stop: () => void = () => undefined;
  #stopping = false;

  constructor(name: string, { connection: link, ...options }: QueueBaseOptions<DispatchConnection>) {
    const queueKeys = new QueueKeys(keyPrefix);
    const blocking = link.blocking === undefined ? undefined : toConnection(link.blocking, true);
    super(
      toConnection(link.client, false),
      name,
      queueKeys.getKeys(name),
      (type) => queueKeys.toKey(name, type),
      { ...options, connection: link.client },
      blocking,
    );
    this.#link = link;
    this.#purpose = `commands of ${name}`;
    this.#stopped = new Promise((resolve) => {
      this.#stop = resolve;
    });
  }

  /**
   * BullMQ tells an outage from a defect by this code: after it, it waits and tries again; after any other failure a
   * worker asks again at once, for ever, be it that Redis has no memory left or is being replaced by its replica.
   */
  override execCommand(...[client, command, args]: Parameters<RedisQueueBackend["execCommand"]>): unknown {
    const answer: unknown = super.execCommand(client, command, args);
    // In a pipeline the answers come together, and its caller is told.
    if (!(answer instanceof Promise)) return answer;
    return answer.then(
      (result: unknown) => {
        this.#link.connections.works(this.#purpose);
        return result;
      },
      (error: unknown) => {
        const refused = Object.assign(new Error(messageOf(error)), { code: "ECONNREFUSED" });
        if (!this.#stopping) this.#link.connections.failed(this.#purpose, refused);
        throw refused;
      },
    );
  }

  /** A worker that is closed while it waits for a job looks once more before it ends, and would begin new work then. */
  override async moveToActive(token: string, name?: string): Promise<unknown[]> {
    return this.#stopping ? [] : super.moveToActive(token, name);
  }

  override async waitForJob(blockTimeout: number): ReturnType<RedisQueueBackend["waitForJob"]> {
    return await Promise.race([super.waitForJob(blockTimeout), this.#stopped.then(() => null)]);
  }

  /** BullMQ would wait for the end of a connection that may not be there. */
  override async disconnectBlocking(): Promise<void> {
    this.#stopping = true;
    this.#stop();
    if (this.#link.blocking !== undefined) this.#link.connections.end(this.#link.blocking);
  }

  override async reconnectBlocking(): Promise<void> {
    if (!this.#stopping) await Promise.race([super.reconnectBlocking(), this.#stopped]);
  }

  /** Always by force: everything has been finished by then, and a polite goodbye would wait for Redis to come back. */
  override async close(): Promise<void> {
    this.#stopping = true;
    this.#stop();
    await super.close(true);
  }
}

function toConnection(client: RedisClient, blocking: boolean): RedisConnection {
  return new RedisConnection(client, { shared: false, blocking, skipVersionCheck: true });
}

const { Queue, Worker } = withBackend<DispatchBackend, DispatchConnection>(
  (name, options) => new DispatchBackend(name, options),
);
