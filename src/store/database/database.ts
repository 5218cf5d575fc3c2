import pg from "pg";
import type { CardMember } from "../../contract/card-data.ts";
import { type Announcements, type Announcer, createAnnouncer } from "../../kernel/announcer.ts";
import type { EncryptionKey } from "../../kernel/encryption-keys.ts";
import type { StoredBodyError } from "../../kernel/stored-body-errors.ts";
import { createEncryption, type Encryption } from "./encryption.ts";
import { type Connection, connectionTo } from "./transaction.ts";

export interface Database {
  /** Runs each `sql` template in its own transaction. */
  readonly connection: Connection;
  /** For statements that need their own connection: LISTEN, advisory locks, prepared batches. */
  readonly pool: pg.Pool;
  readonly encryption: Encryption;
  readonly announcer: Announcer;
  /** Waits for running statements, then closes every connection. Call it once. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** postgres:// URL, or a URL whose `host` parameter names the folder of a Unix socket. */
  readonly url: string;
  readonly applicationName: string;
  readonly maxConnections: number;
  /**
   * `by-key`: each statement is planned once per connection, and finds every row by an index. For statements that name their
   * rows. A search or a list needs a plan for its values, which is the default.
   */
  readonly plans?: "by-values" | "by-key";
  /** The first key encrypts bodies and credentials, all keys decrypt. Without keys nothing is encrypted. */
  readonly encryptionKeys?: readonly EncryptionKey[];
  /** Called for each card number or security code that a gateway sent in clear, which is stored masked. */
  readonly onCardDataMasked?: (member: CardMember) => void;
  /** Called when stored bytes cannot be opened, with why. */
  readonly onUnreadableBody?: (code: StoredBodyError) => void;
  /** Called for errors on idle connections, which have no caller to reject. */
  readonly onError: (error: unknown) => void;
}

const int8Oid = 20;

/** Pages show a change, and events about it are sent, up to so much later. */
const announcingPauseMs = 100;

/** On a connection that has vanished it would hold up all that follow. */
const announcingMaxMs = 10_000;

/** A new connection plans each statement anew, which costs more than the connection. */
const idleMaxMs = 5 * 60_000;

/** Opens a pool. It connects on first use, so this neither waits nor fails. */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: options.applicationName,
    max: options.maxConnections,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: idleMaxMs,
    // Otherwise a server that has vanished is waited for without end, and a firewall may drop connections that say nothing.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // See `inTransaction`.
    pipeline: true,
    // Counters and sizes stay far below 2^53, so numbers are exact.
    types: {
      getTypeParser: ((oid: number, format?: "text" | "binary") =>
        oid === int8Oid && format !== "binary"
          ? Number
          : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  });
  // The pool removes its listener from lent connections, and a restart of the database would then end the process.
  pool.on("connect", (client) => client.on("error", options.onError));
  if (options.plans === "by-key") pool.on("connect", planByKey);
  pool.on("error", () => {});
  const announcer = announceOn(pool, announcingPauseMs);
  return {
    connection: connectionTo(pool),
    pool,
    encryption: createEncryption(options.encryptionKeys ?? [], {
      onMasked: options.onCardDataMasked,
      onUnreadable: options.onUnreadableBody,
    }),
    announcer,
    async close() {
      await announcer.close();
      if (!pool.ending) await pool.end();
    },
  };
}

/**
 * Announces what was committed, outside of the transactions: a commit with a message holds a lock of the whole server until it is
 * on disk, so such commits never share a sync.
 */
export function announceOn(pool: Pick<pg.Pool, "query">, pauseMs: number): Announcer {
  const send = (waiting: Announcements) => {
    const texts = [...waiting.values()].map((ids) => [...ids].join(","));
    const values = [[...waiting.keys()], texts];
    const statement = { name: "announce", text: announcement, values, query_timeout: announcingMaxMs };
    return pool.query(statement);
  };
  return createAnnouncer(send, pauseMs);
}

const announcement = "select pg_notify(channel, ids) from unnest($1::text[], $2::text[]) as message (channel, ids)";

/**
 * Left to choose, PostgreSQL compares a plan for any values with the average of those that it made for its values before. While
 * tables grow, those were for smaller ones, so it plans each execution again. It also expects 100 rows of JSON where there are a
 * few, for which it would read 20,000 orders whole. Here a plan does not depend on how many rows there were when it was made.
 */
const planningByKey = {
  plan_cache_mode: "force_generic_plan",
  enable_seqscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  // Before PostgreSQL 18 a plan that cannot do without these seems so costly that it would be compiled.
  jit: "off",
};

const setPlanning = `select ${Object.entries(planningByKey)
  .map(([name, value]) => `set_config('${name}', '${value}', false)`)
  .join(", ")}`;

function planByKey(client: pg.PoolClient): void {
  // Sent before the first statement, with which it fails.
  client.query(setPlanning, []).catch(() => {});
}
