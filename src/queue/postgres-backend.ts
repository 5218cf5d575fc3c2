import {
  assertSchemaCompatibility,
  createPostgresBackend,
  DEFAULT_SCHEMA,
  type PgPool,
  quoteSchemaName,
  withBackend,
} from "bullmq";
import pg from "pg";
import { type BullmqSite, createBullmqBackend, type QueueTiming, unavailable } from "./bullmq-backend.ts";
import type { QueueBackend } from "./dispatch-queue.ts";

export interface PostgresBackendOptions {
  /** The database with the migrated schema `bullmq`, as the service role. */
  readonly url: string;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  /** Receives each outage once, and BullMQ's reports. */
  readonly onError: (error: unknown) => void;
  readonly timing?: QueueTiming;
}

const kind = "postgresql";

/** The timeout of a connection attempt or a statement. */
const responseMs = 5_000;

/** Connections of one queue: one for its statements, and one to spare. */
const queueConnections = 2;

/** Connections of one worker: one listens, the others fetch, renew and finish jobs. */
const workerConnections = 4;

/**
 * Runs BullMQ on PostgreSQL, in the schema `bullmq`, which the database's owner migrates.
 * Each queue takes at most 2 connections and each consumer at most 4. They must reach PostgreSQL itself, or a pooler in
 * session mode: workers LISTEN.
 */
export function createPostgresQueueBackend(options: PostgresBackendOptions): QueueBackend {
  const site = postgresSite(options);
  return createBullmqBackend(site, options.onError, options.timing);
}

function postgresSite(options: PostgresBackendOptions): BullmqSite {
  const probe = openPool({ ...options, onError: () => undefined }, 1);

  return {
    kind,
    openQueue(name, queueOptions) {
      const { pool, passNew } = openPool(options, queueConnections);
      const queue = new Queue(name, { ...queueOptions, connection: pool });
      return {
        queue: {
          waitUntilReady: () => queue.waitUntilReady(),
          add: (jobName, data, jobOptions) => queue.add(jobName, data, jobOptions),
          clean: (olderThanMs, limit, state) => queue.clean(olderThanMs, limit, state),
          on: (event, listener) => queue.on(event, passNew(listener)),
        },
        close: () => closeBoth(queue, pool),
      };
    },
    openWorker(name, workerOptions, process) {
      const { pool, passNew } = openPool(options, workerConnections);
      const worker = new Worker(name, process, { ...workerOptions, connection: pool });
      return {
        worker: {
          waitUntilReady: () => worker.waitUntilReady(),
          run: () => worker.run(),
          on: (event, listener) => worker.on(event, passNew(listener)),
        },
        close: () => closeBoth(worker, pool),
      };
    },
    async ping() {
      try {
        await assertSchemaCompatibility(probe.pool);
      } catch (error) {
        throw unavailable("it does not respond", kind, error);
      }
    },
    close: () => probe.pool.end(),
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

interface OpenedPool {
  /** BullMQ asks for a pool, although its type says otherwise under exact optional members. */
  readonly pool: pg.Pool & PgPool;
  /** BullMQ repeats what its pool reports; the listener gets only errors outside a reported outage. */
  passNew(listener: (error: Error) => void): (error: Error) => void;
}

/** An outage lasts from the first broken connection to the next new one. It is reported once. */
function openPool(options: PostgresBackendOptions, max: number): OpenedPool {
  const searchPath = `set search_path to ${quoteSchemaName(DEFAULT_SCHEMA)}`;
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: `${options.applicationName} queue`,
    max,
    connectionTimeoutMillis: responseMs,
    query_timeout: responseMs,
    keepAlive: true,
    // BullMQ names its tables without a schema and sets the path only on its own pools. The pool awaits this.
    onConnect: (client) => client.query(searchPath) as unknown as undefined,
  });
  let isAway = false;
  pool.on("error", (error) => {
    if (!isAway) options.onError(unavailable("it does not respond", kind, error));
    isAway = true;
  });
  pool.on("connect", () => {
    isAway = false;
  });
  return {
    pool: pool as pg.Pool & PgPool,
    passNew: (listener) => (error) => {
      if (!isAway) listener(error);
    },
  };
}

const { Queue, Worker } = withBackend(createPostgresBackend);
