import { createHash } from "node:crypto";
import type pg from "pg";
import type { Tx } from "../../kernel/tx.ts";

/** The pool, with a transaction per statement, or one transaction. */
export interface Connection {
  /** `sql` templates call it: see `Sql.execute`. */
  run<Row>(statement: Statement): Promise<Rows<Row>>;
}

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

export interface Rows<Row> {
  readonly rows: Row[];
  /** How many were returned or, without `returning`, written. */
  readonly rowCount: number;
}

/** A `Database` is one. */
interface Pooled {
  readonly pool: pg.Pool;
}

/** Lends a connection of the pool to each statement. */
export function connectionTo(pool: pg.Pool): Connection {
  return {
    run: async (statement) => {
      const client = await pool.connect();
      try {
        return await runOn(client, statement);
      } finally {
        client.release();
      }
    },
  };
}

/**
 * Rolls back if `work` rejects or calls `undo`. Statements started together, as with `Promise.all`, run in that order
 * and cost one round trip, including `begin`. After an error PostgreSQL refuses those behind it, so `Promise.all`
 * rejects with the first error.
 */
export async function inTransaction<T>(
  database: Pooled,
  work: (transaction: Connection, undo: () => void) => Promise<T>,
): Promise<T> {
  return await runTransaction(database, "begin", work);
}

/**
 * Sends `commit` with the statements, for work that starts them all at once and needs no result in between. Only an
 * error of a statement rolls back.
 */
export async function inPipelinedTransaction<T>(
  database: Pooled,
  work: (transaction: Connection) => Promise<T>,
): Promise<T> {
  return await runTransaction(database, "begin", work, "with-work");
}

/**
 * One transaction per statement. Statements started together run in order, each sees the commits of those before it,
 * and they cost one round trip.
 */
export async function pipelined<T>({ pool }: Pooled, work: (connection: Connection) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let isOver = false;
  let hasFailed = false;
  const connection = connectionOf(client, () => isOver);
  try {
    return await work({
      run: <Row>(statement: Statement) =>
        connection.run<Row>(statement).catch((error: unknown) => {
          hasFailed = true;
          throw error;
        }),
    });
  } finally {
    isOver = true;
    client.release(hasFailed && !(await isUsable(client)));
  }
}

/** All statements see the same snapshot, read-only. */
export async function inSnapshot<T>(database: Pooled, work: (snapshot: Connection) => Promise<T>): Promise<T> {
  return await runTransaction(database, "begin isolation level repeatable read read only", work);
}

async function runTransaction<T>(
  { pool }: Pooled,
  begin: string,
  work: (transaction: Connection, undo: () => void) => Promise<T>,
  commit: "after-work" | "with-work" = "after-work",
): Promise<T> {
  const client = await pool.connect();
  let isOver = false;
  let isBroken = false;
  let isPersistent = true;
  try {
    const begun = send(client, { text: begin, values: [] });
    // Not awaited, to save a round trip. Any error also makes the next statements fail.
    begun.catch(() => {});
    const working = work(
      connectionOf(client, () => isOver),
      () => {
        isPersistent = false;
      },
    );
    // Commits only if `work` resolves; with "with-work", the commit is sent before that is known.
    if (commit === "after-work") await working;
    const ended = send(client, { text: isPersistent ? "commit" : "rollback", values: [] });
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
  return await send(client, { text: "rollback", values: [] }).then(
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

/** @param isOver a later statement would run by itself, or in another caller's transaction */
function connectionOf(client: pg.PoolClient, isOver: () => boolean): Connection {
  return {
    run: async (statement) => {
      if (isOver()) throw new Error("What this statement belongs to has ended.");
      return await runOn(client, statement);
    },
  };
}

async function runOn<Row>(client: pg.PoolClient, statement: Statement): Promise<Rows<Row>> {
  const { rows, rowCount } = await send(client, statement);
  return { rows: rows as Row[], rowCount: rowCount ?? 0 };
}

/**
 * Under a name, so that PostgreSQL parses and plans the statement once per connection. Poolers must be in session mode, as
 * for LISTEN.
 */
async function send(client: pg.PoolClient, { text, values }: Statement): Promise<pg.QueryResult> {
  const name = nameOf(text);
  return await client.query({ text, values: [...values], ...(name !== undefined && { name }) });
}

/** Per process. Templates give few texts, but searches with any number of terms must not fill the database. */
const namesMax = 1_000;

const names = new Map<string, string>();

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= namesMax) return known;
  const name = createHash("sha256").update(text).digest("base64url").slice(0, 22);
  names.set(text, name);
  return name;
}
