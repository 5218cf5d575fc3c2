import type { CompiledQuery, DatabaseConnection, QueryExecutorProvider, QueryResult } from "kysely";
import type pg from "pg";
import type { Tx } from "../../kernel/tx.ts";
import type { Database } from "./database.ts";

/** Runs statements: the pool, each in a transaction of its own, or one transaction. */
export type Connection = QueryExecutorProvider;

/**
 * Runs `work` in one transaction, and rolls it back when `work` rejects or has called `undo`.
 *
 * Statements that are started together, as with `Promise.all`, go to the database together: they are carried out in the
 * order in which they were started, and cost one round trip. `begin` goes with the first of them. When one fails, PostgreSQL
 * refuses those behind it, and whoever waits for all of them hears of the first.
 */
export async function inTransaction<T>(
  database: Pick<Database, "kysely" | "pool">,
  work: (transaction: Connection, undo: () => void) => Promise<T>,
): Promise<T> {
  return await runTransaction(database, "begin", work);
}

/**
 * Runs `work` in one transaction whose `commit` goes to the database together with its statements: for work that starts all of
 * them at once and leaves nothing to an answer.
 */
export async function inOneTrip<T>(
  database: Pick<Database, "kysely" | "pool">,
  work: (transaction: Connection) => Promise<T>,
): Promise<T> {
  return await runTransaction(database, "begin", work, "with-work");
}

/**
 * Runs `work` on one connection, each of its statements in a transaction of its own. Those that are started together are carried
 * out in the order in which they were started, each with the commits of those before it, and cost one round trip.
 */
export async function inOneRoundTrip<T>(
  { kysely, pool }: Pick<Database, "kysely" | "pool">,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let isOver = false;
  let hasFailed = false;
  const connection = connectionOf(client, () => isOver);
  const executor = executorOn(kysely, {
    ...connection,
    executeQuery: (query) =>
      connection.executeQuery<never>(query).catch((error: unknown) => {
        hasFailed = true;
        throw error;
      }),
  });
  try {
    return await work({ getExecutor: () => executor });
  } finally {
    isOver = true;
    client.release(hasFailed && !(await isUsable(client)));
  }
}

/** Runs `work` in one transaction that writes nothing and whose statements all see the database as the first one saw it. */
export async function inSnapshot<T>(
  database: Pick<Database, "kysely" | "pool">,
  work: (snapshot: Connection) => Promise<T>,
): Promise<T> {
  return await runTransaction(database, "begin isolation level repeatable read read only", work);
}

async function runTransaction<T>(
  { kysely, pool }: Pick<Database, "kysely" | "pool">,
  begin: string,
  work: (transaction: Connection, undo: () => void) => Promise<T>,
  commit: "after-work" | "with-work" = "after-work",
): Promise<T> {
  const client = await pool.connect();
  let isOver = false;
  const connection = connectionOf(client, () => isOver);
  const executor = executorOn(kysely, connection);
  let isBroken = false;
  let isPersistent = true;
  try {
    const begun = client.query(begin, []);
    // Not waited for, so that it costs no round trip. Whatever is wrong with it is wrong with the statements behind it.
    begun.catch(() => {});
    const working = work({ getExecutor: () => executor }, () => {
      isPersistent = false;
    });
    if (commit === "after-work") await working;
    const ended = client.query(isPersistent ? "commit" : "rollback", []);
    isOver = true;
    const [result, , { command }] = await Promise.all([working, begun, ended]);
    // PostgreSQL answers a commit with a rollback, and not with an error, when a statement has failed.
    if (isPersistent && command !== "COMMIT")
      throw new Error("A statement of a transaction failed, and nobody waited for it.");
    return result;
  } catch (error) {
    isOver = true;
    isBroken = !(await isUsable(client));
    throw error;
  } finally {
    client.release(isBroken);
  }
}

/** Whether a connection on which a statement has failed can be used again. Ends the transaction on it, if there is one. */
async function isUsable(client: pg.PoolClient): Promise<boolean> {
  return await client.query("rollback", []).then(
    () => true,
    () => false,
  );
}

/** Shows a running transaction to a feature as the opaque `Tx` that it may pass on. */
export function asTx(transaction: Connection): Tx {
  return transaction as unknown as Tx;
}

/** The running transaction behind a `Tx`. Only the store calls it. */
export function fromTx(tx: Tx): Connection {
  return tx as unknown as Connection;
}

/** Kysely's own transactions run one statement after the other. */
function executorOn(kysely: Database["kysely"], connection: DatabaseConnection) {
  return kysely.getExecutor().withConnectionProvider({ provideConnection: (run) => run(connection) });
}

/** @param isOver a statement that is started then would be carried out by itself, or in the transaction of somebody else. */
function connectionOf(client: pg.PoolClient, isOver: () => boolean): DatabaseConnection {
  return {
    executeQuery: async <Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> => {
      if (isOver()) throw new Error("What this statement belongs to has ended.");
      const { command, rowCount, rows } = await client.query(sql, [...parameters]);
      return { rows: rows as Row[], ...(writes.has(command) ? { numAffectedRows: BigInt(rowCount ?? 0) } : {}) };
    },
    streamQuery: () => {
      throw new Error("Rows of a transaction are not streamed.");
    },
  };
}

const writes: ReadonlySet<string> = new Set(["INSERT", "UPDATE", "DELETE", "MERGE"]);
