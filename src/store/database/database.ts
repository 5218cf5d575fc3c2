import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import type { EncryptionKey } from "../../kernel/encryption-keys.ts";
import { createEncryption, type Encryption } from "./encryption.ts";
import { nameStatements } from "./named-statements.ts";

/** A pool of connections to one database. */
export interface Database {
  /** Runs `sql` templates, each in a transaction of its own. */
  readonly kysely: Kysely<unknown>;
  /** For the few statements that want a connection of their own: LISTEN, advisory locks, prepared batches. */
  readonly pool: pg.Pool;
  /** How bodies and credentials are stored in it. */
  readonly encryption: Encryption;
  /** Waits for running statements, then closes every connection. Call it once. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** postgres:// URL, or a URL whose `host` parameter names the folder of a Unix socket. */
  readonly url: string;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  readonly maxConnections: number;
  /** The first one encrypts stored bodies and credentials, all of them decrypt. None: nothing is encrypted. */
  readonly encryptionKeys?: readonly EncryptionKey[];
  /** Told of errors on idle connections, which have no caller to reject. */
  readonly onError: (error: unknown) => void;
}

const int8Oid = 20;

/** Opens a pool; connections are made when they are first needed, so that this neither waits nor fails. */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: options.applicationName,
    max: options.maxConnections,
    connectionTimeoutMillis: 5_000,
    // What is asked together is sent together; see `inTransaction`.
    pipeline: true,
    // Counters and sizes stay far below 2^53, so a number is exact and easier to work with than a string.
    types: {
      getTypeParser: ((oid: number, format?: "text" | "binary") =>
        oid === int8Oid && format !== "binary"
          ? Number
          : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  });
  // On every connection, not on the pool alone: the pool takes its own listener off a connection while it is lent, and a
  // database that restarts then would end the process. The statement under way rejects all the same.
  pool.on("connect", (client) => client.on("error", options.onError));
  pool.on("connect", nameStatements);
  pool.on("error", () => {});
  const kysely = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  return {
    kysely,
    pool,
    encryption: createEncryption(options.encryptionKeys ?? []),
    async close() {
      // Kysely ends the pool only when a query of its own has used it.
      await kysely.destroy();
      if (!pool.ending) await pool.end();
    },
  };
}
