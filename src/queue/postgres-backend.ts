import {
  DEFAULT_SCHEMA,
  type PgPool,
  PostgresConnection,
  type PostgresConnectionOptions,
  PostgresQueueBackend,
  quoteSchemaName,
  withBackend,
} from "bullmq";
import pg from "pg";
import { messageOf } from "../kernel/app-error.ts";
import { type BullmqSite, createBullmqBackend, type QueueTiming, unavailable } from "./bullmq-backend.ts";
import type { QueueBackend } from "./dispatch-queue.ts";

export interface PostgresBackendOptions {
  /** The database whose schema `bullmq` was migrated, as the service role. */
  readonly url: string;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  /** Told of outages, once for each, and of what BullMQ reports. */
  readonly onError: (error: unknown) => void;
  readonly timing?: QueueTiming;
}

const kind = "postgresql";

/** Opening a connection, or a statement, that takes longer has failed. */
const answerMs = 5_000;

/** Connections of one queue: an `addBulk` at a time, and one to spare. */
const queueConnections = 2;

/** Connections of one worker: one that listens, the others fetch, renew and finish jobs. */
const workerConnections = 4;

/**
 * BullMQ on PostgreSQL, in its schema `bullmq`. Whoever owns the database migrates that schema; this only uses it.
 *
 * Each queue takes at most 2 connections and each consumer at most 4. They must reach PostgreSQL itself, or a pooler in
 * session mode: workers LISTEN.
 */
export function createPostgresQueueBackend(options: PostgresBackendOptions): QueueBackend {
  const site = postgresSite(options);
  return createBullmqBackend(site, options.onError, options.timing);
}

function postgresSite(options: PostgresBackendOptions): BullmqSite {
  const pingPool = openPool(options, 1);
  // BullMQ's own object asks its database the cheapest question that needs both a connection and the schema.
  const probe = () => new PostgresConnection(asBullmqPool(pingPool, () => undefined)).waitUntilReady();

  return {
    kind,
    openQueue(name, queueOptions) {
      const pool = openPool(options, queueConnections);
      const connection = asBullmqPool(pool, options.onError);
      const queue = new Queue(name, { ...queueOptions, connection });
      return { queue, close: () => closeBoth(queue, pool) };
    },
    openWorker(name, workerOptions, process) {
      const pool = openPool(options, workerConnections);
      const connection = asBullmqPool(pool, options.onError);
      const worker = new Worker(name, process, { ...workerOptions, connection });
      return { worker, close: () => closeBoth(worker, pool) };
    },
    async ping() {
      try {
        await probe();
      } catch (error) {
        throw unavailable("it does not answer", kind, error);
      }
    },
    close: () => pingPool.end(),
  };
}

/** The pool is ours, so BullMQ does not end it. */
async function closeBoth(object: { close(): Promise<void> }, pool: pg.Pool): Promise<void> {
  try {
    await object.close();
  } finally {
    await pool.end();
  }
}

function openPool(options: PostgresBackendOptions, max: number): pg.Pool {
  const searchPath = `set search_path to ${quoteSchemaName(DEFAULT_SCHEMA)}`;
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: `${options.applicationName} queue`,
    max,
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
    keepAlive: true,
    // BullMQ names its tables without a schema and sets the path only on pools that it makes itself. Awaited by the pool.
    onConnect: (client) => client.query(searchPath) as unknown as undefined,
  });
  // An idle connection that breaks is replaced by the pool; the next statement shows whether there is an outage.
  pool.on("error", () => undefined);
  return pool;
}

/**
 * The pool as BullMQ may see it. BullMQ tells an outage from a defect by `ECONNREFUSED` alone: after that code it waits
 * and tries again, after any other its worker asks again at once, as fast as the failures come. So every failure but the
 * refusals of BullMQ's own functions and deadlocks is shown to it as a refused connection, and told to `onError` once.
 */
function asBullmqPool(pool: pg.Pool, onError: (error: unknown) => void): PgPool {
  let away = false;

  async function guarded<T>(work: Promise<T>): Promise<T> {
    try {
      const result = await work;
      away = false;
      return result;
    } catch (error) {
      if (isAnswerOfBullmq(error)) throw error;
      if (!away) onError(unavailable("it does not answer", kind, error));
      away = true;
      throw Object.assign(new Error(messageOf(error), { cause: error }), { code: "ECONNREFUSED" });
    }
  }

  const bullmqPool = {
    options: pool.options,
    query: (text: string, values?: unknown[]) => guarded(pool.query(text, values)),
    connect: () => guarded(pool.connect()),
    end: () => pool.end(),
    on: () => bullmqPool,
    removeAllListeners: () => bullmqPool,
  };
  return bullmqPool as unknown as PgPool;
}

function isAnswerOfBullmq(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  const sqlState = error.code ?? "";
  return sqlState.startsWith("BM") || sqlState.startsWith("40");
}

/** BullMQ's backend, with two of its habits changed. */
class DispatchBackend extends PostgresQueueBackend {
  #closing = false;

  /**
   * Seconds that an idle worker sleeps at most. By BullMQ's own measure it may rely on a notification for an hour; one
   * lost while the database restarts would leave a waiting job until then.
   */
  override get maximumBlockTimeout(): number {
    return 5;
  }

  /** A worker that is closed while it waits for a job looks once more before it ends, and would begin new work then. */
  override async moveToActive(token: string, name?: string): Promise<unknown[]> {
    return this.#closing ? [] : super.moveToActive(token, name);
  }

  override async disconnectBlocking(wait?: boolean): Promise<void> {
    this.#closing = true;
    await super.disconnectBlocking(wait);
  }

  override async reconnectBlocking(): Promise<void> {
    this.#closing = false;
    await super.reconnectBlocking();
  }
}

const { Queue, Worker } = withBackend<PostgresQueueBackend, PostgresConnectionOptions>(
  (name, options, { withBlockingConnection } = {}) =>
    new DispatchBackend(
      new PostgresConnection(options.connection),
      name,
      options,
      true,
      withBlockingConnection === true ? name : undefined,
    ),
);
