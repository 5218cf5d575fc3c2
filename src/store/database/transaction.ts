import type { CompiledQuery, DatabaseConnection, QueryExecutorProvider, QueryResult } from "kysely";
import type pg from "pg";
import type { Tx } from "../../kernel/tx.ts";
import type { Database } from "./database.ts";

/** The pool, with a transaction per statement, or one transaction. */
export type Connection = QueryExecutorProvider;

/**
 * Rolls back if `work` rejects or calls `undo`. Statements started together, as with `Promise.all`, run in that order
 * and cost one round trip, including `begin`. After an error PostgreSQL refuses those behind it, so `Promise.all`
 * rejects with the first error.
 */
export async function inTransaction<T>(
  database: Pick<Database, "kysely" | "pool">,
  work: (transaction: Connection, undo: () => void) => Promise<T>,
): Promise<T> {
  return await runTransaction(database, "begin", work);
}

/** Sends `commit` with the statements, for work that starts them all at once and needs no result in between. */
export async function inOneTrip<T>(
  database: Pick<Database, "kysely" | "pool">,
  work: (transaction: Connection) => Promise<T>,
): Promise<T> {
  return await runTransaction(database, "begin", work, "with-work");
}

/**
 * One transaction per statement. Statements started together run in order, each sees the commits of those before it,
 * and they cost one round trip.
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

/** All statements see the same snapshot, read-only. */
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
    // Not awaited, to save a round trip. Any error also makes the next statements fail.
    begun.catch(() => {});
    const working = work({ getExecutor: () => executor }, () => {
      isPersistent = false;
    });
    if (commit === "after-work") await working;
    const ended = client.query(isPersistent ? "commit" : "rollback", []);
    isOver = true;
    const [result, , { command }] = await Promise.all([working, begun, ended]);
    // After a failed statement PostgreSQL responds to a commit with a rollback instead of an error.
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

/** Ends an open transaction after an error; returns whether the connection can be used again. */
async function isUsable(client: pg.PoolClient): Promise<boolean> {
  return await client.query("rollback", []).then(
    () => true,
    () => false,
  );
}

export function asTx(transaction: Connection): Tx {
  return transaction as unknown as Tx;
}

/** Unwraps a `Tx`. Only the store calls it. */
export function fromTx(tx: Tx): Connection {
  return tx as unknown as Connection;
}

function executorOn(kysely: Database["kysely"], connection: DatabaseConnection) {
  return kysely.getExecutor().withConnectionProvider({ provideConnection: (run) => run(connection) });
}

/** @param isOver a later statement would run by itself, or in another caller's transaction */
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
